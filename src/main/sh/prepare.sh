# shellcheck shell=dash disable=SC2034,SC2154 # a part of the launcher, which has the other variables
#
# Finds out what a start needs and remembers it: the JDK, the jar's bytes, what was made for both.

TRIES_MAX=3 # an archive that could not be made so often is not tried again
LOCK_MINUTES_MAX=30

# Which JDK: the newest of all that are found; among equals JAVA_HOME, then PATH, then folders.

# Sets version, build and rank of the JDK in $1 from its release file; no process.
read_release() {
  version='' build=''
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      JAVA_VERSION=*) version=${line#*=} ;;
      JAVA_RUNTIME_VERSION=*) build=${line#*=} ;;
    esac
    [ -z "$version" ] || [ -z "$build" ] || break
  done <"$1/release"
  version=${version#\"} build=${build#\"}
  version=${version%%[!0-9.]*} build=${build%%\"*}
  case .$version. in
    .. | *..* | *.0[0-9]* | *[0-9][0-9][0-9][0-9]*) return 1 ;; # not a version a JDK ever had
  esac
  IFS=.
  # shellcheck disable=SC2086 # 17.0.15 is three numbers
  set -- $version
  unset IFS
  major=$1
  rank=$(((($1 * 1000 + ${2:-0}) * 1000 + ${3:-0}) * 1000 + ${4:-0}))
}

consider() {
  read_release "$1" || return 0
  [ "$major" -ge "$JAVA_MAJOR_MIN" ] && [ "$rank" -gt "$best_rank" ] || return 0
  best_rank=$rank java_home=$1 java_major=$major java_build=${build:-$version}
}

# A `java` on the PATH is usually a link to a link into a JDK.
consider_path() {
  set -f
  IFS=:
  for folder in ${PATH:-}; do
    java=$folder/java
    if [ ! -f "$java" ] || [ ! -x "$java" ]; then continue; fi
    links=0
    while [ -h "$java" ] && [ "$links" -lt "$LINKS_MAX" ]; do
      links=$((links + 1))
      target=$(readlink "$java") || break
      case $target in
        /*) java=$target ;;
        *) java=${java%/*}/$target ;;
      esac
    done
    case $java in
      /*/bin/java) consider "${java%/bin/java}" ;;
    esac
  done
  unset IFS
  set +f
}

pick_java() {
  java_home='' best_rank=0
  if [ -n "${MAINSTAY_JAVA_HOME:-}" ]; then
    consider "$MAINSTAY_JAVA_HOME"
    [ -n "$java_home" ] || die 5 "MAINSTAY_JAVA_HOME ($MAINSTAY_JAVA_HOME) is not a JDK of version\
 $JAVA_MAJOR_MIN or newer: set it to one, or unset it."
    return
  fi
  [ -z "${JAVA_HOME:-}" ] || consider "${JAVA_HOME%/}"
  consider_path
  for folder in /usr/lib/jvm/* /opt/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-}"/.sdkman/candidates/java/* \
    /usr/local/opt/openjdk* /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    consider "$folder"
  done
  [ -n "$java_home" ] || die 5 "no JDK of version $JAVA_MAJOR_MIN or newer was found: install one,\
 or set JAVA_HOME or MAINSTAY_JAVA_HOME to one."
}

# -- What is remembered between starts.

# A cache that others can write to could make us run their code: then there is none.
usable_cache() {
  [ -n "$cache" ] || return 1
  if [ ! -d "$cache" ]; then
    mkdir -p "${cache%/*}" 2>/dev/null
    mkdir -m 700 "$cache" 2>/dev/null
  fi
  [ -d "$cache" ] && [ -O "$cache" ] && [ -w "$cache" ] || return 1
  case $(LC_ALL=C ls -ld "$cache/.") in
    ?????-??-*) ;;
    *) return 1 ;;
  esac
  [ -d "$slot" ] || mkdir -m 700 "$slot" 2>/dev/null
  [ -O "$slot" ] && [ -w "$slot" ]
}

sha256() {
  for tool in sha256sum 'shasum -a 256' 'openssl dgst -sha256 -r'; do
    # shellcheck disable=SC2086 # a tool and its options
    sum=$($tool <"$1" 2>/dev/null)
    sum=${sum%% *}
    [ "${#sum}" -ne 64 ] || return 0
  done
  return 1
}

# Sets name: everything that makes an archive unfit when it changes is in it. A stale AOT cache runs
# the old jar's code (JDK-8377932), so the jar is known by its bytes; the JVM itself insists on the
# jar's path and time of modification.
name_archive() {
  old_name=$name old_stamp=$jar_stamp
  name=
  jar_stamp=$(stamp "$jar")
  if [ "$jar_stamp" = "$old_stamp" ] && [ -n "$old_name" ]; then
    sum=${old_name%%-*} # the jar is the one that was hashed before; only the JDK is in question
  else
    sha256 "$jar" || return 1
    [ "$jar_stamp" = "$(stamp "$jar")" ] || return 1 # it was replaced while it was being read
  fi
  fit=$(printf '%s\n' "$jar" "$java_home" "$(stamp "$java_home/release")" \
    "$(LC_ALL=C TZ=UTC0 TIME_STYLE=full-iso ls -lnL "$jar")" | cksum) || return 1
  case $java_build in *[!A-Za-z0-9.+_-]*) java_build=$version ;; esac
  name=$sum-$java_build-${fit%% *}
}

# Sets archive, hooks, servers and library to those that were made for exactly this jar and this JDK, and were
# not touched since: the JVM does not check an archive, it crashes on a damaged one.
find_made() {
  archive='' hooks='' servers='' library='' made=''
  for file in "$slot/$name.jsa" "$slot/$name.aot"; do
    [ ! -f "$file" ] || archive=$file
  done
  [ ! -f "$slot/$name.hooks" ] || hooks=$slot/$name.hooks
  [ ! -f "$slot/$name.servers" ] || servers=$slot/$name.servers
  for file in "$slot/$name-libsqlitejdbc."*; do
    [ ! -f "$file" ] || library=$file
  done
  [ ! -r "$slot/$name.made" ] || made=$(cat "$slot/$name.made")
  [ "$made" = "$(stamp_made)" ] || archive='' hooks='' servers='' library=''
}

stamp_made() (
  set -- ${archive:+"$archive"} ${hooks:+"$hooks"} ${servers:+"$servers"} ${library:+"$library"}
  [ $# -eq 0 ] || stamp "$@"
)

# Finds everything out anew and remembers it; without a cache only the JDK matters.
decide() {
  pick_java
  archive='' hooks='' servers='' library=''
  if ! usable_cache || ! name_archive; then
    slot=
    return
  fi
  find_made
  identify
  printf '%s\n' "$jar" "${MAINSTAY_JAVA_HOME:-}" "${JAVA_HOME:-}" "${PATH:-}" "$java_home" \
    "$java_major" "$name" "$archive" "$hooks" "$servers" "$library" "$jar_stamp" "$identity" \
    2>/dev/null >"$slot/state.$$"
  mv -f "$slot/state.$$" "$slot/state" 2>/dev/null || rm -f "$slot/state.$$"
}

# Removes the slots of jars that are no more.
forget_vanished() {
  for file in "$cache"/+*/state; do
    [ ! -f "$file" ] || ! IFS= read -r made_for <"$file" || [ -e "$made_for" ] ||
      rm -rf "${file%/state}"
  done
}

# -- Locks: a folder with its owner's process id in it.

is_stale() {
  owner=
  [ ! -r "$1/owner" ] || read -r owner <"$1/owner"
  minutes=$LOCK_MINUTES_MAX
  if [ -z "$owner" ]; then
    minutes=1 # its owner is about to write its id, or died before it could
  elif ! kill -0 "$owner" 2>/dev/null && ! ps -p "$owner" >/dev/null 2>&1; then
    return 0
  fi
  [ -n "$(find "$1" -prune -mmin "+$minutes" 2>/dev/null)" ]
}

# Takes the lock $1 unless somebody who lives holds it. A dead owner's lock is taken over where it
# is: removing and making it again would let two processes remove each other's.
take_lock() {
  if mkdir "$1" 2>/dev/null; then
    echo $$ >"$1/owner"
    return
  fi
  is_stale "$1" || return 1
  if ! mkdir "$1/takeover" 2>/dev/null; then
    find "$1/takeover" -prune -mmin +1 -exec rmdir {} \; 2>/dev/null
    return 1
  fi
  is_stale "$1" && echo $$ >"$1/owner"
  taken=$?
  rmdir "$1/takeover"
  return "$taken"
}

# -- The archive is made in the background by a process of its own, so that no command waits.

tries() {
  count=0
  [ ! -r "$slot/$name.for" ] || read -r count <"$slot/$name.for"
  case $count in '' | *[!0-9]*) count=0 ;; esac
}

offer_archive() {
  [ -n "$slot" ] && [ -z "$archive" ] || return 0
  tries
  [ "$count" -lt "$TRIES_MAX" ] || return 0
  [ ! -d "$slot/making" ] || is_stale "$slot/making" || return 0
  set -- nice -n 10 sh "$self" --make-archive
  # In a session of its own it outlives a caller that ends its whole process group.
  ! command -v setsid >/dev/null 2>&1 || set -- setsid "$@"
  # Whoever reads our output must not wait for this process: it keeps no descriptor open.
  (
    trap '' HUP INT
    "$@" </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
  )
}

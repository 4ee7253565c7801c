# shellcheck shell=dash disable=SC2034,SC2154 # a part of the launcher, which has the other variables
#
# A clone builds its jar by itself, on first use and when its source has changed.

BUILD_WAIT_SECONDS_MAX=900
LOG_LINES_SHOWN=30

progress() {
  phase=$(sed -n 's/^\[INFO\] --- \([^ ]*\).*/\1/p' "$log" | tail -n 1)
  if [ -t 2 ]; then
    printf '\r%s %s s  %-40.40s' "$what" "$1" "$phase" >&2
  elif [ $(($1 % 10)) -eq 0 ]; then
    say "$what $1 s  $phase"
  fi
}

run_maven() {
  "$@" </dev/null >"$log" 2>&1 &
  maven=$!
  trap 'kill "$maven" 2>/dev/null; rm -rf "$lock"; exit 130' INT TERM HUP
  seconds=0
  while kill -0 "$maven" 2>/dev/null; do
    progress "$seconds"
    sleep 1
    seconds=$((seconds + 1))
  done
  [ ! -t 2 ] || echo >&2
  trap - INT TERM HUP
  wait "$maven"
}

# Sets java_home to the JDK that Maven would take by itself where it can compile, for that is the
# one its user has tried; else to the newest.
pick_compiler() {
  java_home='' best_rank=0
  if [ -n "${JAVA_HOME:-}" ]; then consider "${JAVA_HOME%/}"; else consider_path; fi
  [ -x "${java_home:-.}/bin/javac" ] || pick_java
  [ -x "$java_home/bin/javac" ] || die 5 "$java_home has no compiler to build Mainstay with:\
 install a JDK of version $JAVA_MAJOR_MIN or newer, or use a release archive."
}

build() {
  command -v mvn >/dev/null 2>&1 || die 5 "this clone must be built first and Maven is missing:\
 install Maven 3.8 or newer (the command mvn), or use a release archive."
  pick_compiler
  mkdir -p "$clone/target" || die 5 "cannot build here: $clone/target cannot be made."
  lock=$clone/target/launcher-build.lock
  log=$clone/target/launcher-build.log
  waited=0
  until take_lock "$lock"; do
    [ "$waited" -gt 0 ] || say "waiting for another mainstay that is building here ..."
    [ "$waited" -lt "$BUILD_WAIT_SECONDS_MAX" ] || die 5 "the other build does not end: look at $log."
    waited=$((waited + 1))
    sleep 1
  done
  if ! is_current; then # else the one we waited for has built it
    what="Building Mainstay (first use, about a minute) ..."
    [ ! -f "$jar" ] || what="Building Mainstay (its source has changed) ..."
    : >"$lock/started"
    : >"$log"
    if ! run_maven env JAVA_HOME="$java_home" mvn -B -f "$clone/pom.xml" -Dquick \
      -Dmaven.test.skip=true package || [ ! -f "$jar" ]; then
      tail -n "$LOG_LINES_SHOWN" "$log" >&2
      rm -rf "$lock"
      die 5 "the build failed; the whole log is $log."
    fi
    # What was edited while Maven ran is newer than the jar then, and builds it again.
    touch -r "$lock/started" "$jar"
  fi
  rm -rf "$lock"
}

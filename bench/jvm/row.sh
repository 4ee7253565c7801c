# shellcheck shell=dash
#
# What the rows that run beside peers from Maven Central share; the row takes this in. Beside what
# bench/harness/row.sh sets:
#
#   classes           where the row's own classes go
#   beside POM...     puts the peers of these poms of bench/peers on the class path; not with --smoke
#   run_row CLASS...  a class of the row, with everything it writes on the disk that is measured

# shellcheck disable=SC2034 # the part reads it
root=$(cd "$(dirname "$0")/../.." && pwd -P)
# shellcheck source=bench/harness/row.sh
. "$root/bench/harness/row.sh"
cd "$root"
if [ -z "${BENCH_WORK:-}" ]; then
  BENCH_WORK=$(mktemp -d)
  trap 'rm -rf "$BENCH_WORK"' EXIT
  trap 'exit 130' INT TERM HUP
fi
mkdir -p "$BENCH_WORK/tmp" "$BENCH_WORK/data"
data=$BENCH_WORK/data
classes=$root/target/bench/$row${smoke:+-smoke}

beside() {
  for pom in "$@"; do
    listed=$root/target/bench/${pom%.xml}.path
    if [ ! -s "$listed" ] || [ "bench/peers/$pom" -nt "$listed" ]; then
      mvn -B -q -f "bench/peers/$pom" dependency:build-classpath -Dmdep.outputFile="$listed" \
        >&2 </dev/null || die "Maven cannot list the class path of bench/peers/$pom."
    fi
    cp=$cp:$(cat "$listed")
  done
}

run_row() {
  # PostgreSQL and the library of SQLite are unpacked into the temporary folder.
  BENCH_JAVA_OPTS="-Djava.io.tmpdir=$BENCH_WORK/tmp ${BENCH_JAVA_OPTS:-}"
  run_java "$classes" "$@"
}

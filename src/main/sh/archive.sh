# shellcheck shell=dash disable=SC2034,SC2154 # a part of the launcher, which has the other variables
#
# Makes what the next starts are fast with: the class archive and the unpacked SQLite library.

TRAINING_PAUSES_MAX=600 # of 0.2 seconds

# The file of the SQLite library inside the jar that fits the JDK.
library_entry() {
  os=$(sed -n 's/^OS_NAME="\(.*\)"/\1/p' "$java_home/release")
  arch=$(sed -n 's/^OS_ARCH="\(.*\)"/\1/p' "$java_home/release")
  libc=$(sed -n 's/^LIBC="\(.*\)"/\1/p' "$java_home/release")
  [ -n "$os" ] || os=$(uname -s)
  [ -n "$arch" ] || arch=$(uname -m)
  if [ -z "$libc" ]; then
    for file in /lib/ld-musl-*; do [ ! -e "$file" ] || libc=musl; done
    for file in /lib64/ld-linux-* /lib/ld-linux-*; do [ ! -e "$file" ] || libc=gnu; done
  fi
  case $arch in
    amd64) arch=x86_64 ;;
    arm64) arch=aarch64 ;;
  esac
  case $os-$libc in
    Linux-musl) echo "org/sqlite/native/Linux-Musl/$arch/libsqlitejdbc.so" ;;
    Linux-*) echo "org/sqlite/native/Linux/$arch/libsqlitejdbc.so" ;;
    Darwin-*) echo "org/sqlite/native/Mac/$arch/libsqlitejdbc.dylib" ;;
  esac
}

# The driver would unpack its library at every start, which costs more than starting the JVM.
unpack_library() (
  entry=$(library_entry)
  rm -f "$slot/$name"-libsqlitejdbc.*
  cd "$work" && [ -n "$entry" ] || exit 0
  if [ -x "$java_home/bin/jar" ]; then
    "$java_home/bin/jar" -xf "$jar" "$entry"
  else
    unzip -q "$jar" "$entry"
  fi
  [ ! -s "$entry" ] || mv -f "$entry" "$slot/$name-${entry##*/}"
)

# The environment of the training run: nothing of the user's can reach it, nor it the user's data.
clean() { exec env -i HOME="$work" PATH="$PATH" LC_ALL=C.UTF-8 "$@"; }

# Runs the command in $@ in the background so that it cannot hang for ever; gives its exit code.
within_limit() {
  "$@" &
  child=$!
  pauses=0
  while kill -0 "$child" 2>/dev/null; do
    [ "$pauses" -lt "$TRAINING_PAUSES_MAX" ] || kill -9 "$child" 2>/dev/null
    pauses=$((pauses + 1))
    sleep 0.2 2>/dev/null || sleep 1 # not every sleep knows fractions
  done
  wait "$child"
}

archive_kind() { if [ "$java_major" -ge "$AOT_MAJOR_MIN" ]; then echo aot; else echo jsa; fi; }

# Lets the JVM write down in an archive with the ending $1 what it loads while $2 (commands, hooks,
# servers, or all) are played on a store of their own. The exit code does not matter, the archive does;
# one that then makes the JVM crash is thrown away.
train() (
  cd "$work" && mkdir -p tmp || exit 1
  runner=clean
  made=$work/made.$1
  case $made in
    *.jsa) archive_option=-XX:ArchiveClassesAtExit=$made ;;
    *) archive_option=-XX:AOTCacheOutput=$made ;;
  esac
  MAINSTAY_JAVA_OPTS=-Djava.io.tmpdir=tmp
  within_limit run_java warm-up "$2"
  [ -s "$made" ] || exit 1
  use_archive "$made"
  within_limit run_java --version
  [ $? -lt 126 ] && mv -f "$made" "$slot/$name.${made##*.}"
)

# Removes archives of jars and JDKs that are no more, and what belonged to them.
forget_old() {
  for file in "$slot"/*.for; do
    { read -r count && IFS= read -r made_for_java && IFS= read -r made_for; } <"$file" || continue
    base=${file%.for}
    case ${base##*/} in
      "$name") continue ;;
      "${name%%-*}"-*)
        [ "$made_for" != "$jar_stamp" ] || [ "$made_for_java" = "$java_home" ] ||
          [ ! -x "$made_for_java/bin/java" ] || continue
        ;;
    esac
    rm -f "$base".* "$base"-libsqlitejdbc.*
  done
  # A start that was killed may have left what it was writing.
  find "$slot" -name 'state.*' -mmin +5 -exec rm -f {} \;
  forget_vanished
}

make_archive() {
  find_jar
  open_cache
  decide
  if [ -z "$slot" ] || [ -n "$archive" ] || ! take_lock "$slot/making"; then exit 0; fi
  work=$slot/making/work
  trap 'rm -rf "$slot/making"' EXIT
  trap 'exit 1' INT TERM
  rm -rf "$work"
  tries
  if [ "$count" -ge "$TRIES_MAX" ] || ! mkdir "$work"; then exit 0; fi
  # Counted before the attempt, so that one that takes the machine down counts as well.
  printf '%s\n' $((count + 1)) "$java_home" "$jar_stamp" >"$slot/$name.for"
  # What is left of an earlier try would never fit the stamps of this one.
  rm -f "$slot/$name.made" "$slot/$name.jsa" "$slot/$name.aot" "$slot/$name.hooks" "$slot/$name.servers"
  unpack_library
  for file in "$slot/$name-libsqlitejdbc."*; do
    [ ! -f "$file" ] || library=$file
  done
  kind=$(archive_kind)
  # An AOT cache is loaded whole at each start, so commands, hooks and what runs long have one each.
  trained=all
  [ "$kind" = jsa ] || trained=commands
  if train "$kind" "$trained"; then
    archive=$slot/$name.$kind
    if [ "$kind" = aot ] && train hooks hooks; then hooks=$slot/$name.hooks; fi
    if [ "$kind" = aot ] && train servers servers; then servers=$slot/$name.servers; fi
    printf '%s\n' 0 "$java_home" "$jar_stamp" >"$slot/$name.for"
  fi
  stamp_made >"$work/stamps" && mv -f "$work/stamps" "$slot/$name.made"
  forget_old
  # Whoever took the folder away while we worked does not want it back.
  [ ! -d "$slot" ] || decide
}

# shellcheck shell=dash disable=SC2034,SC2154 # a part of the launcher, which has the other variables
#
# Puts Mainstay under a prefix and takes it away again. lib/mainstay/installed lists what was put
# there, files and new folders, relative to the prefix; nothing else is ever removed.

INSTALLED=lib/mainstay/installed
BASH_COMPLETION=share/bash-completion/completions/mainstay
ZSH_COMPLETION=share/zsh/site-functions/_mainstay

# Sets prefix from the options of the command $1; without any it is $2.
read_prefix() {
  verb=$1 prefix=$2
  shift 2
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix=?*) prefix=${1#--prefix=} ;;
      --prefix)
        [ -n "${2:-}" ] || die 2 "--prefix needs a folder: mainstay $verb --prefix DIR."
        prefix=$2
        shift
        ;;
      -h | --help)
        echo "Usage: mainstay $verb [--prefix DIR]    (DIR is ~/.local unless given)"
        exit 0
        ;;
      *) die 2 "unknown argument '$1': the usage is mainstay $verb [--prefix DIR]." ;;
    esac
    shift
  done
  [ -n "$prefix" ] || die 2 "HOME is not set, so say where: mainstay $verb --prefix DIR."
  case $prefix in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
  esac
  while [ "$prefix" != "${prefix%/}" ]; do prefix=${prefix%/}; done
}

is_listed() {
  [ -f "$prefix/$INSTALLED" ] && grep -Fqx -- "$1" "$prefix/$INSTALLED"
}

is_our_link() {
  [ -h "$prefix/bin/mainstay" ] && [ "$(readlink "$prefix/bin/mainstay")" = ../lib/mainstay/mainstay ]
}

files_to_put() {
  echo bin/mainstay
  for file in mainstay mainstay.jar mainstay.jar.sha256 LICENSE README.md installed sh/prepare.sh \
    sh/archive.sh sh/ask.sh sh/build.sh sh/install.sh completion/mainstay; do
    echo "lib/mainstay/$file"
  done
  echo "$BASH_COMPLETION"
  echo "$ZSH_COMPLETION"
}

# A file that is there already must be one that an earlier installation put there.
refuse_foreign_files() {
  files_to_put | while read -r file; do
    [ -e "$prefix/$file" ] || [ -h "$prefix/$file" ] || continue
    [ "$file" != bin/mainstay ] || is_our_link && is_listed "f $file" || die 1 "$prefix/$file is not from an earlier installation, so it is\
 left alone: move it away or choose another --prefix."
  done || exit
}

# Makes the folder $1 under the prefix with those above it, and prints those that are new.
make_folder() {
  [ ! -d "$prefix/$1" ] || return 0
  case $1 in */*) make_folder "${1%/*}" || return ;; esac
  mkdir "$prefix/$1" && chmod 755 "$prefix/$1" && echo "d $1"
}

cannot_write() { die 5 "cannot write $1: choose a folder you may write to with --prefix DIR."; }

# The list comes first: an installation that breaks off can be repeated or taken away.
write_list() {
  new_prefix=
  if [ ! -d "$prefix" ]; then
    mkdir -p "$prefix" 2>/dev/null || cannot_write "$prefix"
    new_prefix='d .'
  fi
  folders=$(for folder in bin lib/mainstay/sh lib/mainstay/completion "${BASH_COMPLETION%/*}" \
    "${ZSH_COMPLETION%/*}"; do
    make_folder "$folder" || exit
  done 2>/dev/null) || cannot_write "$prefix"
  before=
  [ ! -f "$prefix/$INSTALLED" ] || before=$(cat "$prefix/$INSTALLED")
  {
    printf '%s\n' "$before" "$new_prefix" "$folders" | grep '^d ' | sort -u
    files_to_put | sed 's/^/f /'
  } | put "$INSTALLED" 644 || exit
}

# Writes standard input to the file $1 with mode $2. By renaming: a JVM that has the old jar open
# keeps it whole, and nobody ever sees half a file.
put() {
  new=$prefix/$1.new.$$
  if ! { cat >"$new"; } 2>/dev/null || ! chmod "$2" "$new" || ! mv -f "$new" "$prefix/$1"; then
    rm -f "$new"
    cannot_write "$prefix/$1"
  fi
}

put_link() {
  ! is_our_link || return 0
  ln -s ../lib/mainstay/mainstay "$prefix/bin/mainstay" || cannot_write "$prefix/bin/mainstay"
}

# Removes what the version before had and this one has no more.
remove_outdated() {
  printf '%s\n' "$before" | sed -n 's/^f //p' | while read -r file; do
    is_listed "f $file" || remove_file "$file"
  done
}

# Removes the file $1 from the list; a command of that name that is not ours stays.
remove_file() {
  case /$1/ in */../*) return ;; esac
  [ "$1" != bin/mainstay ] || is_our_link || return 0
  if [ -f "$prefix/$1" ] || [ -h "$prefix/$1" ]; then rm -f "$prefix/$1"; fi
}

zsh_completion() {
  quoted=$(printf '%s\n' "$prefix/$BASH_COMPLETION" | sed "s/'/'\\\\''/g")
  cat <<END
#compdef mainstay
# The completion is written for bash; zsh runs it through bashcompinit, which registers it anew.
autoload -U +X bashcompinit && bashcompinit
source '$quoted'
[[ \$_comps[mainstay] == _mainstay ]] || eval "\$_comps[mainstay]"
END
}

# A jar that does not match its checksum is a broken download, or half a build.
check_jar() {
  sha256 "$jar" || die 5 "no tool for SHA-256 was found: install sha256sum, shasum or openssl."
  [ -f "$jar.sha256" ] || return 0
  expected=
  read -r expected _ <"$jar.sha256"
  [ "$expected" = "$sum" ] || die 1 "$jar does not match $jar.sha256: unpack the archive again, or\
 build again in a clone."
}

install() {
  read_prefix install "${HOME:+$HOME/.local}" "$@"
  find_jar
  if ! is_current; then
    # shellcheck source=src/main/sh/build.sh
    . "$parts/build.sh"
    build
  fi
  [ ! "$prefix/lib/mainstay" -ef "$here" ] || die 1 "this is the installation in $prefix itself:\
 to upgrade it, run install from the newer archive or clone."
  check_jar
  completion=$here/completion/mainstay
  [ -z "$clone" ] || completion=$clone/target/completion/mainstay
  [ -f "$completion" ] || die 5 "$completion is missing: unpack the archive again, or build again."
  refuse_foreign_files
  write_list
  for file in prepare archive ask build install; do
    put "lib/mainstay/sh/$file.sh" 644 <"$parts/$file.sh"
  done
  # The same jar stays in place, and with it the archive that was made for it.
  cmp -s "$jar" "$prefix/lib/mainstay/mainstay.jar" || put lib/mainstay/mainstay.jar 644 <"$jar"
  echo "$sum  mainstay.jar" | put lib/mainstay/mainstay.jar.sha256 644 || exit
  for file in LICENSE README.md; do
    [ ! -f "$here/$file" ] || put "lib/mainstay/$file" 644 <"$here/$file"
  done
  put lib/mainstay/completion/mainstay 644 <"$completion"
  put "$BASH_COMPLETION" 644 <"$completion"
  zsh_completion | put "$ZSH_COMPLETION" 644 || exit
  put lib/mainstay/mainstay 755 <"$self"
  put_link
  remove_outdated
  echo "Installed Mainstay in $prefix/lib/mainstay; the command is $prefix/bin/mainstay."
  case :${PATH:-}: in
    *":$prefix/bin:"*) ;;
    *) echo "$prefix/bin is not on your PATH yet: add it, and mainstay is found by its name." ;;
  esac
}

uninstall() {
  default=${HOME:+$HOME/.local}
  [ ! -f "$here/installed" ] || default=${here%/lib/mainstay}
  read_prefix uninstall "$default" "$@"
  list=$prefix/$INSTALLED
  [ -f "$list" ] || die 1 "Mainstay is not installed in $prefix: name the folder with --prefix DIR."
  [ -w "$prefix/lib/mainstay" ] || cannot_write "$prefix/lib/mainstay"
  lines=$(cat "$list")
  printf '%s\n' "$lines" | sed -n 's/^f //p' | while read -r file; do
    remove_file "$file"
  done
  # Deepest first; a folder in which somebody else keeps something stays.
  printf '%s\n' "$lines" | sed -n 's/^d //p' | sort -r | while read -r folder; do
    case /$folder/ in */../*) continue ;; esac
    if [ "$folder" = . ]; then rmdir "$prefix"; else rmdir "$prefix/$folder"; fi 2>/dev/null
  done
  open_cache
  if [ -d "$cache" ] && usable_cache; then
    rmdir "$slot" 2>/dev/null
    forget_vanished
    rmdir "$cache" 2>/dev/null
  fi
  echo "Removed Mainstay from $prefix, with its start-up cache. Your data, the .mainstay folders of\
 your projects, was not touched."
}

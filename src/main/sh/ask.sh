# shellcheck shell=dash disable=SC2034,SC2154 # a part of the launcher, which has the other variables
#
# Asks the process that holds this project's store open, if there is one, to run a hot command: no
# JVM is started. The request is put down as a file in .mainstay/spool; whoever renames it has taken
# it, so it is run once, here or there, and curl only carries its name.

HOOK_SECONDS_MAX=0.20 # without a sign of life; with 40 ms in Java and curl's own start below 0.3
COMMAND_SECONDS_MAX=5
HOOK_ASKS_MAX=100 # each sign of life comes after at most 50 ms
LOOK_SECONDS_MAX=0.08 # for one more look at an owner that says nothing and is at work; more than for a sign of life
LOOKS_MAX=30
SPOOL_FILES_MAX=256
CURL_TIMED_OUT=28
LOG_BLOCKS_MAX=512 # of 512 bytes; Java counts the same
INPUT_BYTES_MAX=4194305 # one more than is taken, so that too much is noticed

NEWLINE='
'

# Sets root as Java does: the nearest folder upwards that is a repository or has a store of the
# caller's own, below the home folder and below /. Stores above the home folder are passed over.
find_root() {
  # Java knows the folder by its real name. This is a builtin, and `pwd -P` would need a process.
  cd -P . 2>/dev/null || return 1
  root=$PWD
  if [ "$kind" = hook ]; then
    # A hook runs wherever its agent went; some hosts say where the agent was started.
    for folder in "${GEMINI_PROJECT_DIR-}" "${CLAUDE_PROJECT_DIR-}"; do
      case $folder in /*) root=${folder%/} ;; esac
    done
  fi
  begin=$root
  while [ -n "$root" ] && [ "$root" != / ]; do
    if [ "$root" != "$begin" ]; then
      [ ! "$root" -ef "${HOME:-/}" ] || return 1
    fi
    if has_own_store || [ -d "$root/.git" ]; then
      return 0
    fi
    if [ -f "$root/.git" ]; then
      find_main_repository
      return
    fi
    root=${root%/*}
  done
  return 1
}

has_own_store() {
  [ -O "$root/.mainstay" ] && [ ! -h "$root/.mainstay" ] || return 1
  case ${HOME:-}/ in "$root"/*) [ "$root" = "$begin" ] || return 1 ;; esac
  [ -e "$root/.mainstay/state.sqlite3" ] || [ -e "$root/.mainstay/config.toml" ]
}

# The store of a worktree is its main repository's.
find_main_repository() {
  line=
  IFS= read -r line <"$root/.git" || [ -n "$line" ] || return 1
  case $line in
    'gitdir: '*/.git/worktrees/*) line=${line#gitdir: } ;;
    *) return 0 ;;
  esac
  line=${line%/.git/worktrees/*}
  case $line in
    /*) root=$line ;;
    *) root=$root/$line ;;
  esac
}

# Notes the fault $1 of a hook where `mainstay doctor` finds it; without Mainstay's folder nowhere.
log_fault() {
  kind=hook
  find_root || return 0
  log=$root/.mainstay/log
  [ -O "$root/.mainstay" ] && [ ! -h "$root/.mainstay" ] && [ ! -h "$log" ] || return 0
  umask 077
  [ -d "$log" ] || mkdir "$log" 2>/dev/null || return 0
  [ ! -h "$log/hooks.log" ] || return 0
  [ -z "$(exec find "$log/hooks.log" -size "+$LOG_BLOCKS_MAX" 2>/dev/null)" ] ||
    mv -f "$log/hooks.log" "$log/hooks.log.1"
  printf '%s hook: %s\n' "$(exec date -u +%FT%TZ)" "$1" 2>/dev/null >>"$log/hooks.log"
}

# Sets socket to that of a living owner which runs the same jar.
find_owner() {
  note=$root/.mainstay/socket spool=$root/.mainstay/spool
  [ -f "$note" ] && [ -O "$note" ] && [ -O "$spool" ] && [ ! -h "$spool" ] || return 1
  {
    IFS= read -r socket && IFS= read -r of_jar && IFS= read -r owner
  } <"$note" 2>/dev/null || return 1
  case $owner in '' | *[!0-9]*) return 1 ;; esac
  case $socket in
    */mainstay/*.sock | */mainstay-*/*.sock) ;; # a file of a repository could name any socket
    *) return 1 ;;
  esac
  [ "$of_jar" = "$jar" ] && [ -S "$socket" ] && [ -O "$socket" ] && kill -0 "$owner" 2>/dev/null
}

# Sets request to a name that no other has, without a process.
name_request() {
  id=
  [ ! -r /proc/sys/kernel/random/uuid ] || read -r id </proc/sys/kernel/random/uuid
  request=$kind-${id:-$$-$PPID}
}

# A host must not stumble over a closed pipe: what is too much is read and let go.
read_input() {
  head -c "$INPUT_BYTES_MAX" && if IFS= read -r rest; then cat >/dev/null; fi
}

# Sets starter to who started the agent of a prompt, which is alive now and may be gone when the
# prompt is heard; to nothing where the system tells nothing. Tools and the rest do not need it.
look_at_starter() {
  starter=
  [ "$kind/${2:-}" = hook/UserPromptSubmit ] && [ -n "${CLAUDE_PID-}" ] || return 0
  [ -r /proc/self/environ ] || return 0
  case $CLAUDE_PID in *[!0-9]*) return 0 ;; esac
  starter=agent
  # A process that has ended and is still listed has no variables at all.
  grep -qz . "/proc/$CLAUDE_PID/environ" 2>/dev/null || return 0
  grep -qz '^CLAUDECODE=.' "/proc/$CLAUDE_PID/environ" 2>/dev/null || starter=person
}

# Puts the request down. What the variables hold is nothing for the arguments of a process.
put_down() {
  look_at_starter "$@"
  attended=no
  # `:` would end the shell when the terminal cannot be opened.
  if { true </dev/tty; } 2>/dev/null; then attended=attended; fi
  set -- mainstay-1 "$jar" "$PWD" "$attended" "$#" "$@" \
    "USER=${USER-}" "LOGNAME=${LOGNAME-}" "HOME=${HOME-}" "TERM=${TERM-}" \
    "XDG_STATE_HOME=${XDG_STATE_HOME-}" "XDG_CONFIG_HOME=${XDG_CONFIG_HOME-}" \
    "MAINSTAY_TRUST_FOLDERS=${MAINSTAY_TRUST_FOLDERS-}" \
    "NO_COLOR=${NO_COLOR-}" "MAINSTAY_TERMINAL=${MAINSTAY_TERMINAL-}" \
    "MAINSTAY_DB=${MAINSTAY_DB-}" "MAINSTAY_KEY_LIFE=${MAINSTAY_KEY_LIFE-}" \
    "MAINSTAY_PATIENCE=${MAINSTAY_PATIENCE-}" "MAINSTAY_COLOR=${MAINSTAY_COLOR-}" \
    "MAINSTAY_CONTEXT_USE_SNAPSHOT=${MAINSTAY_CONTEXT_USE_SNAPSHOT-}" \
    "MAINSTAY_NOTIFY_COMMAND=${MAINSTAY_NOTIFY_COMMAND-}" \
    "MAINSTAY_HOOKS_STOP=${MAINSTAY_HOOKS_STOP-}" \
    "MAINSTAY_RETENTION_AGE=${MAINSTAY_RETENTION_AGE-}" \
    "MAINSTAY_TERMINALS_MAX=${MAINSTAY_TERMINALS_MAX-}" \
    "MAINSTAY_SERVE_HOSTS=${MAINSTAY_SERVE_HOSTS-}" \
    "MAINSTAY_OTEL_ENDPOINT=${MAINSTAY_OTEL_ENDPOINT-}" \
    "CLAUDECODE=${CLAUDECODE-}" "CLAUDE_CODE_ENTRYPOINT=${CLAUDE_CODE_ENTRYPOINT-}" \
    "CLAUDE_PROJECT_DIR=${CLAUDE_PROJECT_DIR-}" "CLAUDE_ENV_FILE=${CLAUDE_ENV_FILE-}" \
    "CLAUDE_CODE_SESSION_ID=${CLAUDE_CODE_SESSION_ID-}" \
    "CLAUDE_PID=${CLAUDE_PID-}" "CLAUDE_CODE_EXECPATH=${CLAUDE_CODE_EXECPATH-}" \
    "CLAUDE_PLUGIN_ROOT=${CLAUDE_PLUGIN_ROOT-}" "CODEX_SANDBOX=${CODEX_SANDBOX-}" \
    "CODEX_THREAD_ID=${CODEX_THREAD_ID-}" "GEMINI_CLI=${GEMINI_CLI-}" \
    "GEMINI_SESSION_ID=${GEMINI_SESSION_ID-}" "GEMINI_PROJECT_DIR=${GEMINI_PROJECT_DIR-}" \
    "OPENCODE=${OPENCODE-}" "QWEN_CODE=${QWEN_CODE-}" "CURSOR_AGENT=${CURSOR_AGENT-}" \
    "mainstay.starter=$starter" ''
  {
    printf '%s\0' "$@" &&
      if [ -n "$reads" ]; then read_input; fi &&
      printf '\0mainstay-end'
  } 2>/dev/null >"$spool/$request"
}

# Gives the owner's answer as the command's own: errors stand before the request's name, output
# behind it.
give_answer() {
  answer=${answer#done } answer=${answer%.}
  code=${answer%%"$NEWLINE"*}
  answer=${answer#*"$NEWLINE"}
  errors=${answer%%"$request"*}
  [ -z "$errors" ] || printf '%s' "$errors" >&2
  printf '%s' "${answer#*"$request"}"
  [ "$kind" = run ] || [ "$code" -eq 0 ] || end_hook "process $owner ended it with exit code $code"
  exit "$code"
}

# Sets state and worked, the time for which it had the processor, of the process or thread at $1.
# Where the system tells nothing neither says anything.
look_at() {
  state='' worked=0 line=''
  { IFS= read -r line <"$1/stat"; } 2>/dev/null || return 0
  set -f
  # shellcheck disable=SC2086 # the words are wanted
  set -- ${line##*) }
  set +f
  state=$1
  [ "$#" -lt 13 ] || worked=$((${12} + ${13}))
}

# Whether the owner was stopped, as by Ctrl-Z: then it has nothing to say. Others tell by silence.
is_stopped() {
  look_at "/proc/$owner"
  case $state in T | t) return 0 ;; esac
  return 1
}

# Whether some thread of the owner has the processor or waits for it.
wants_to_run() {
  for thread in "/proc/$owner/task"/*; do
    look_at "$thread"
    [ "$state" != R ] || return 0
  done
  return 1
}

# Whether an owner that said nothing in time is slow and does not hang: it took the event whose answer
# is wanted, and had the processor since it was last looked at, or wants it now. Such is a young JVM on
# a busy machine.
is_at_work() {
  [ "$asked" -eq "$CURL_TIMED_OUT" ] && [ "$kind" = hook ] && [ ! -e "$spool/$request" ] &&
    ! only_tells "$1" && [ "$looks" -lt "$LOOKS_MAX" ] || return 1
  looks=$((looks + 1)) seconds=$LOOK_SECONDS_MAX before=$worked
  ! is_stopped || return 1
  now=$worked
  [ "$now" -gt "$before" ] || wants_to_run || return 1
  worked=$now
}

# Asks until there is an answer, for as long as the owner shows that it lives. What came before
# curl gave up is no answer, however whole it looks.
ask() {
  asks=0 looks=0 asked=$CURL_TIMED_OUT event=${2-}
  ! is_stopped || return 1
  while :; do
    answer=$(exec curl -q -s --noproxy '*' --unix-socket "$socket" --max-time "$seconds" \
      "http://mainstay/$request" 2>/dev/null)
    asked=$?
    if [ "$asked" -ne 0 ]; then
      is_at_work "$event" || return 1
      continue
    fi
    case $answer in
      done*.) give_answer ;;
      stuck*.)
        # Others keep the owner from its store; it hears the event when they let it.
        if [ "$kind" = hook ]; then
          ! only_tells "$event" || exit 0
          end_hook "process $owner is kept from writing to the store; it hears the event later"
        fi
        ;;
      wait*.)
        asks=$((asks + 1))
        [ "$kind" = run ] || seconds=$HOOK_SECONDS_MAX
        ;;
      *) return 1 ;;
    esac
    [ "$kind" != hook ] || [ "$asks" -lt "$HOOK_ASKS_MAX" ] ||
      end_hook "process $owner did not answer in time; it still hears the event"
  done
}

# An event that only tells something may wait in the spool until somebody takes it.
only_tells() {
  case $1 in
    PostToolUse | PostToolUseFailure | PostToolBatch | PreCompact | PostCompact | SubagentStop | \
      SessionEnd | Notification | AfterTool | PreCompress) return 0 ;;
  esac
  return 1
}

# What only looks at something can be done again.
only_looks() {
  case $1/${2:-} in
    prompt/* | dump/* | */show | */list | task/ready) return 0 ;;
  esac
  return 1
}

# Succeeds with kind and reads set when the command is one that an owner runs.
is_hot() {
  kind=run reads=
  case ${1:-}/${2:-} in
    hook/?*) kind=hook reads=yes ;;
    prompt/* | dump/* | plan/* | directive/* | state/show | state/merge | criteria/list | \
      task/create | task/show | task/list | task/ready | task/claim | task/start | task/heartbeat | \
      task/complete | task/fail | task/release | inbox/list | inbox/send | \
      checkpoint/save | checkpoint/list) ;;
    *) return 1 ;;
  esac
  for argument; do
    case $argument in
      --db | --db=* | --wait | --wait=* | --from | --from=* | @*) return 1 ;;
      - | *=-) reads=yes ;;
    esac
  done
  # A file of updates would be looked for in the owner's folder.
  [ "${2:-}" != merge ] || [ -n "$reads" ] || return 1
  # A person's screen has a width and colours, which only the process itself knows.
  [ ! -t 1 ] || [ "$kind" = hook ]
}

spool_is_full() {
  set -- "$spool"/hook-*
  [ "$#" -ge "$SPOOL_FILES_MAX" ]
}

# Answers and exits, or returns 1 with input set to the request, if standard input went into it.
ask_owner() {
  is_hot "$@" && find_root && find_owner && ! spool_is_full && command -v curl >/dev/null || return 1
  seconds=$COMMAND_SECONDS_MAX
  [ "$kind" = run ] || seconds=$HOOK_SECONDS_MAX
  name_request
  if ! put_down "$@"; then
    [ -e "$spool/$request" ] || return 1
    [ "$kind" = run ] || end_hook "cannot write into $spool: make room on the disk."
    die 5 "cannot write into $spool: make room on the disk."
  fi
  ask "$@"
  if [ ! -e "$spool/$request" ]; then
    # Whoever is only slow to say so has heard it.
    [ "$asked" -ne "$CURL_TIMED_OUT" ] || [ "$kind" = run ] || ! only_tells "$2" || exit 0
    [ "$kind" = run ] || end_hook "process $owner took the event and did not answer"
    ! only_looks "$@" || return 1
    die 5 "process $owner took the command and did not answer: look whether it was done."
  fi
  # An owner that hangs takes the event when it goes on, or another one does when it died.
  [ "$asked" -ne "$CURL_TIMED_OUT" ] || [ "$kind" = run ] || ! only_tells "$2" || exit 0
  # A JVM must not wait for the store of one that hangs either; what it leaves stays in the spool.
  [ "$asked" -ne "$CURL_TIMED_OUT" ] || [ "$kind" = run ] || hung=yes
  input=$spool/$request
  return 1
}

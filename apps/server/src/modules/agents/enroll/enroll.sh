#!/bin/sh
# Makes this machine part of a self-hosted cluster of @ORIGIN@, or takes it out again.
#
#   curl -fsSL @ORIGIN@/enroll.sh | ATOLL_ENROLL_TOKEN=... sh     joins; again: updates and restarts the agent
#   curl -fsSL @ORIGIN@/enroll.sh | sh -s -- --uninstall          removes the agent, keeps the files
#   curl -fsSL @ORIGIN@/enroll.sh | sh -s -- --uninstall --purge  removes the files, too
#
# Needs Linux, curl or wget, tar, and outbound connections to this server; nothing listens for it from outside. Goes to
# /opt/atoll for root and ~/.atoll for others; ATOLL_DIR names another folder, ATOLL_PORT the port where visitors reach
# a machine that nobody stands before (4880), ATOLL_NO_SYSTEMD=1 runs it without a service, and an agent without one is
# killed where it does not end in ATOLL_STOP_SECONDS (30).
set -eu

origin='@ORIGIN@'
agent_file='@AGENT_FILE@'
agent_sha256='@AGENT_SHA256@'
node_file='@NODE_FILE@'
node_sha256='@NODE_SHA256@'
node_platform='@NODE_PLATFORM@'
restic_file='@RESTIC_FILE@'
restic_sha256='@RESTIC_SHA256@'
least_node=24
unit=atoll-agent.service

say() { printf '%s\n' "$*"; }
fail() { printf 'atoll: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# All of it is read before any of it runs: a download that breaks off does nothing.
main() {
  [ "$(uname -s)" = Linux ] || fail "this agent runs on Linux; this is $(uname -s)"
  choose_folder
  case "${1:-}" in
    --uninstall) uninstall "${2:-}" ;;
    '') install ;;
    *) fail "unknown option $1" ;;
  esac
}

choose_folder() {
  if [ -n "${ATOLL_DIR:-}" ]; then dir=$ATOLL_DIR
  elif [ "$(id -u)" = 0 ]; then dir=/opt/atoll
  else dir=${HOME:?HOME is not set; name a folder with ATOLL_DIR}/.atoll
  fi
  case $dir in /*) ;; *) fail "ATOLL_DIR: must begin with /" ;; esac
  case $dir in *[!A-Za-z0-9._/@+-]*) fail "ATOLL_DIR: only letters, digits and . _ / @ + - are allowed" ;; esac
  case ${ATOLL_PORT:-4880} in *[!0-9]*) fail "ATOLL_PORT: must be a port" ;; esac
  # The backup that it has to end first is given 10 s.
  patience=${ATOLL_STOP_SECONDS:-30}
  case $patience in *[!0-9]*) fail "ATOLL_STOP_SECONDS: must be a number" ;; esac
}

install() {
  token=${ATOLL_ENROLL_TOKEN:-}
  # Not handed on to the programs started below: whoever reads their environment must not find it.
  unset ATOLL_ENROLL_TOKEN
  enrolled=no
  if grep -q '"instanceId":"in_' "$dir/home/agent.json" 2>/dev/null; then enrolled=yes; fi
  [ "$enrolled" = yes ] || [ -n "$token" ] || fail "ATOLL_ENROLL_TOKEN is not set; copy the whole command from the console"
  for program in tar gzip mkdir mv; do has $program || fail "$program is missing; install it and run this again"; done

  umask 077
  mkdir -p "$dir/home"
  work=$(mktemp -d "$dir/.new-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  get_agent
  get_node
  get_restic
  [ "$enrolled" = yes ] || printf '%s' "$token" >"$dir/enroll-token"
  write_settings
  if is_systemd; then start_unit; else start_loop; fi
  # The one before ran from there until now.
  for old in "$dir"/app-*; do [ "$old" = "$app" ] || rm -rf "$old"; done
  wait_until_enrolled
}

fetch() { # URL FILE
  if has curl; then curl -fsSL --retry 3 --connect-timeout 15 -o "$2" "$1"
  elif has wget; then wget -q -O "$2" "$1"
  else fail "neither curl nor wget is here; install one and run this again"
  fi || fail "could not fetch $1"
}

verify() { # FILE SHA256
  if has sha256sum; then sum=$(sha256sum "$1")
  elif has openssl; then sum=$(openssl dgst -sha256 -r "$1")
  else fail "neither sha256sum nor openssl is here; install one and run this again"
  fi
  [ "${sum%% *}" = "$2" ] || fail "$1 is not what this server offers (SHA-256 differs); nothing was changed. Run the command again"
}

get_agent() {
  app=$dir/app-$(printf %.12s "$agent_sha256")
  if [ ! -d "$app" ]; then
    say "Fetching the agent ..."
    fetch "$origin/agent/$agent_file" "$work/agent.tar.gz"
    verify "$work/agent.tar.gz" "$agent_sha256"
    mkdir "$work/app"
    tar -xzf "$work/agent.tar.gz" -C "$work/app"
    mv "$work/app" "$app"
  fi
}

get_node() {
  node=$(command -v node || true)
  if [ -n "$node" ] && is_new_enough "$node"; then return; fi
  node=$dir/node
  if [ -x "$node" ] && is_new_enough "$node"; then return; fi
  here=$(platform)
  [ "$here" = "$node_platform" ] || fail "needs Node $least_node or newer, and this server has none for $here. Install it and run this again"
  say "Fetching Node ..."
  fetch "$origin/agent/$node_file" "$work/node.gz"
  gzip -dc "$work/node.gz" >"$work/node"
  verify "$work/node" "$node_sha256"
  chmod 755 "$work/node"
  is_new_enough "$work/node" || fail "the Node of this server does not run here. Install Node $least_node or newer and run this again"
  mv "$work/node" "$node"
}

platform() {
  case "$(uname -m)" in x86_64) echo linux-x64 ;; aarch64) echo linux-arm64 ;; *) echo "linux-$(uname -m)" ;; esac
}

# Of backups alone: without it everything else works, so nothing here ends the script.
get_restic() {
  if is_restic "$(command -v restic || true)" || is_restic "$dir/restic"; then return; fi
  if [ "$restic_file" != none ] && [ "$(platform)" = "$node_platform" ]; then
    say "Fetching restic ..."
    if (fetch "$origin/agent/$restic_file" "$work/restic.gz" && gzip -dc "$work/restic.gz" >"$work/restic" &&
      verify "$work/restic" "$restic_sha256" && chmod 755 "$work/restic") && is_restic "$work/restic"; then
      mv "$work/restic" "$dir/restic"
      return
    fi
  fi
  say "There is no restic here: install the package restic, 0.14 or newer, to make backups."
}

is_restic() { # PROGRAM: at least 0.14
  version=$("$1" version 2>/dev/null) || return 1
  version=${version#restic }
  major=${version%%.*}
  version=${version#*.}
  [ "$major" -ge 1 ] 2>/dev/null || [ "${version%%.*}" -ge 14 ] 2>/dev/null
}

is_new_enough() {
  major=$("$1" --version 2>/dev/null) || return 1
  major=${major#v}
  [ "${major%%.*}" -ge $least_node ] 2>/dev/null
}

write_settings() {
  cat >"$work/agent.env" <<EOF
ATOLL_AGENT_HOME=$dir/home
ATOLL_AGENT_CONTROL_URL=$origin
ATOLL_AGENT_ENROLL_TOKEN_FILE=$dir/enroll-token
ATOLL_AGENT_DIRECT_PORT=${ATOLL_PORT:-4880}
ATOLL_AGENT_RESTIC=$dir/restic
EOF
  mv "$work/agent.env" "$dir/agent.env"
}

is_systemd() { [ -z "${ATOLL_NO_SYSTEMD:-}" ] && [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ] && has systemctl; }

start_unit() {
  id atoll >/dev/null 2>&1 || useradd --system --home-dir "$dir" --no-create-home --shell /usr/sbin/nologin atoll
  chown -R atoll: "$dir"
  cat >"/etc/systemd/system/$unit" <<EOF
[Unit]
Description=Agent of a self-hosted cluster of $origin
After=network-online.target
Wants=network-online.target

[Service]
User=atoll
EnvironmentFile=$dir/agent.env
ExecStart=$node $app/main.mjs
Restart=always
RestartSec=1
# 0: asked to stop. The others: starting again changes nothing.
RestartPreventExitStatus=0 2 3 4 11
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=$dir

[Install]
WantedBy=multi-user.target
EOF
  systemctl daemon-reload
  systemctl enable --quiet $unit
  systemctl restart $unit
}

start_loop() {
  stop_loop
  cat >"$work/run.sh" <<EOF
#!/bin/sh
# Keeps the agent running; written by enroll.sh.
cd "$dir" || exit 1
set -a; . ./agent.env; set +a
trap 'kill \$child 2>/dev/null; wait \$child; rm -f agent.pid; exit 0' TERM INT
while :; do
  [ "\$(wc -c <agent.log)" -lt 5000000 ] || mv agent.log agent.log.old
  "$node" "$app/main.mjs" </dev/null >>agent.log 2>&1 &
  child=\$!
  wait \$child
  code=\$?
  case \$code in 0|2|3|4|11) rm -f agent.pid; exit \$code ;; esac
  [ \$code = 10 ] || sleep 1
done
EOF
  mv "$work/run.sh" "$dir/run.sh"
  : >>"$dir/agent.log"
  # A session of its own, so that closing the terminal does not end it.
  if has setsid; then setsid sh "$dir/run.sh" </dev/null >/dev/null 2>&1 &
  else nohup sh "$dir/run.sh" </dev/null >/dev/null 2>&1 &
  fi
  printf '%s' $! >"$dir/agent.pid"
}

stop_loop() {
  running=$(list_programs)
  for pid in $running; do
    # The shell asks its agent: one that is asked twice does not end in order.
    parent=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null || true)
    case " $running " in *" $parent "*) ;; *) kill "$pid" 2>/dev/null || true ;; esac
  done
  if ! wait_until_gone "$patience"; then
    running=$(for pid in $running; do freeze_tree "$pid"; done)
    kill -KILL $running 2>/dev/null || true
    wait_until_gone 10 || fail "the agent could not be ended; it still runs as process" $running
    say "The agent did not end in $patience s and was killed."
  fi
  rm -f "$dir/agent.pid"
}

# Process ids in one line: of run.sh, and of agents, also those that it started and left. Other programs that only name
# these files must not be ended.
list_programs() {
  for file in $(grep -lF "$dir/" /proc/[0-9]*/cmdline 2>/dev/null); do
    # It may have ended since it was listed.
    program=$( (tr '\0' '\n' <"$file" | head -n 2 | tr '\n' ' ') 2>/dev/null)
    case $program in "sh $dir/run.sh " | */"sh $dir/run.sh " | */node*" $dir"/app-*/main.mjs\ )
      pid=${file#/proc/}
      printf '%s ' "${pid%/cmdline}" ;;
    esac
  done
}

# PID: prints it and all below it; each is stopped first, so that it starts no more.
freeze_tree() {
  kill -STOP "$1" 2>/dev/null || return 0
  printf '%s ' "$1"
  for file in $(grep -lx "PPid:[[:space:]]*$1" /proc/[0-9]*/status 2>/dev/null); do
    pid=${file#/proc/}
    freeze_tree "${pid%/status}"
  done
}

wait_until_gone() { # SECONDS: until none of $running runs
  tries=0
  for pid in $running; do
    # One that has ended stays as a zombie where nobody reaps it.
    while grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$pid/status" 2>/dev/null; do
      [ $tries -lt $((10 * $1)) ] || return 1
      tries=$((tries + 1))
      sleep 0.1
    done
  done
}

is_alive() {
  if is_systemd; then systemctl is-active --quiet $unit
  else [ -d "/proc/$(cat "$dir/agent.pid" 2>/dev/null || echo none)" ]
  fi
}

wait_until_enrolled() {
  tries=0
  until grep -q '"instanceId":"in_' "$dir/home/agent.json" 2>/dev/null; do
    tries=$((tries + 1))
    if ! is_alive || [ $tries -gt 300 ]; then
      if is_systemd; then journalctl -q -n 5 -u $unit >&2 || true; else tail -n 5 "$dir/agent.log" >&2; fi
      # It needs the token until it has joined, also after a restart, and removes it then.
      is_alive && fail "the server has not answered yet; the agent goes on trying. Its log says more"
      rm -f "$dir/enroll-token"
      fail "the agent could not join; see the lines above. Get a new command in the console and run it"
    fi
    sleep 0.1
  done
  say "This machine has joined. The console at $origin shows it now."
  if is_systemd; then
    say "It runs as the service $unit and starts with the machine. Its log: journalctl -u $unit"
  else
    say "It runs until the machine is switched off; run the same command again to start it, or have $dir/run.sh started at boot."
    say "Its log: $dir/agent.log"
  fi
  # With what it was given: without it, the line would look for another folder, or for a service.
  with="${ATOLL_DIR:+ATOLL_DIR=$ATOLL_DIR }${ATOLL_NO_SYSTEMD:+ATOLL_NO_SYSTEMD=1 }"
  say "To remove it: curl -fsSL $origin/enroll.sh | ${with}sh -s -- --uninstall"
}

uninstall() {
  [ -d "$dir" ] || fail "there is nothing in $dir"
  if is_systemd && [ -f "/etc/systemd/system/$unit" ]; then
    # Returns when all of it has ended, after a while by SIGKILL.
    systemctl disable --quiet --now $unit
    if [ "$(systemctl show --property=Result --value $unit)" = timeout ]; then say "The agent did not end in time and was killed."; fi
    systemctl reset-failed --quiet $unit 2>/dev/null || true
    rm -f "/etc/systemd/system/$unit"
    systemctl daemon-reload
  fi
  stop_loop
  rm -rf "$dir"/app-* "$dir/node" "$dir/restic" "$dir/run.sh" "$dir/agent.env" "$dir/enroll-token" "$dir/agent.log" "$dir/agent.log.old"
  if [ "$1" = --purge ]; then
    rm -rf "$dir/home"
    rmdir "$dir" 2>/dev/null || say "$dir holds files that are not the agent's; they were left alone."
    say "The agent and its files are gone."
  else
    say "The agent is gone. The files are still in $dir/home; --purge removes them, too."
  fi
}

main "$@"

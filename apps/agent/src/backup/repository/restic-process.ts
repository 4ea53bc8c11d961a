/**
 * One run of restic. It gets password and repository through descriptors 3 and 4, and a new password through 5, which
 * are pipes: none is ever an argument, a variable of an environment, or a file. It ends with the agent, however
 * suddenly that dies, because the repository has one writer at a time.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { endGroup } from '../../kernel/end-group.ts'
import { BackupProblem, isCount, isHopeless, isOfTheWay, isRetry, readFailure } from './restic-failure.ts'

/**
 * The shell reads the secrets from its input, and only its builtins pass them on. It ends the whole group when the
 * agent dies, which holds the other end of descriptor 3 and never writes to it. SIGINT to the group reaches restic
 * alone, which gives back its lock. The shell's first argument counts those that follow it as `octalOf` restic's last
 * ones, which may be any bytes: an argument that Node gives is text. The point keeps line feeds at the end of each.
 */
const program = `
{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 &
exec 3<&-
count=$1
shift
while [ "$count" -gt 0 ]; do
  last=$(printf "$1.")
  shift
  set -- "$@" "\${last%.}"
  count=$((count - 1))
done
IFS= read -r password
IFS= read -r repository
IFS= read -r added
trap '' INT
printf '%s\\n' "$password" | {
  exec 3<&0
  printf '%s\\n' "$repository" | {
    exec 4<&0
    printf '%s\\n' "$added" | {
      exec 5<&0 </dev/null
      trap - INT
      command -v nice >/dev/null && exec nice -n 10 "$@"
      exec "$@"
    }
  }
}`

/** From SIGINT to SIGKILL, ms. */
const graceMs = 10_000
/** The last lines of its output, kept to classify a failure. */
const keptLines = 30
const keptLength = 1000

export interface ResticRun {
  program: string
  args: readonly string[]
  /** More arguments, each of any bytes but 0. */
  lastArgs?: readonly Buffer[]
  password: string
  /** For `--new-password-file=/dev/fd/5`. */
  newPassword?: string
  /** As `-r` takes it, with its credentials. */
  repository: string
  /** Where relative paths begin. */
  cwd: string
  env: Readonly<Record<string, string>>
  signal: AbortSignal
  /** How long restic may try again to reach the repository, ms; absent: as long as it likes, up to 15 min. */
  patienceMs?: number
  /** Aborted with a `BackupProblem`, it ends as with that failure. */
  stop?: AbortSignal
  /** Exit codes that are no failure besides 0. */
  allowed?: readonly number[]
  onLine?(line: string): void
  onErrorLine?(line: string): void
  /** Takes what it prints, as bytes, instead of `onLine`; resolves when it has all. Slow, it slows restic down. */
  takeOutput?(output: Readable): Promise<void>
  /** Without the secrets that restic's words may hold. */
  hide(text: string): string
}

/**
 * Resolves with the exit code. Rejects with `BackupProblem` when restic failed, and with the signal's reason when that
 * was aborted: then restic is gone, after SIGINT and at most 10 s.
 */
export async function runRestic(run: ResticRun): Promise<number> {
  const { args, lastArgs = [], signal, allowed = [] } = run
  signal.throwIfAborted()
  if (/\p{Cc}/u.test(run.password + (run.newPassword ?? '')))
    throw new BackupProblem('wrong_password', 'The password is not one line of text.')
  const bytes = [String(lastArgs.length), ...lastArgs.map(octalOf)]
  const child = spawn('/bin/sh', ['-c', program, 'sh', ...bytes, run.program, ...args], {
    cwd: run.cwd,
    env: {
      PATH: process.env['PATH'],
      LANG: 'C.UTF-8',
      RESTIC_PASSWORD_FILE: '/dev/fd/3',
      RESTIC_REPOSITORY_FILE: '/dev/fd/4',
      RESTIC_PROGRESS_FPS: '2',
      ...run.env,
    },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    // A group of its own: the shell, restic, and who watches over them.
    detached: true,
  })
  // Waited for from the start: it may come together with the exit.
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines: string[] = []
  let hopeless: BackupProblem | undefined
  let dueKill: NodeJS.Timeout | undefined
  let duePatience: NodeJS.Timeout | undefined
  let isOver = false

  const end = (by: NodeJS.Signals) => endGroup(child, by)
  const interrupt = () => {
    if (dueKill !== undefined) return
    dueKill = setTimeout(() => end('SIGKILL'), graceMs)
    end('SIGINT')
  }
  // Its errors are known at the end, when restic is gone.
  const taken = run.takeOutput?.(child.stdout).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (!taken)
    createInterface({ input: child.stdout }).on('line', (line) => {
      keep(line)
      run.onLine?.(line)
    })
  createInterface({ input: child.stderr }).on('line', (line) => {
    keep(line)
    run.onErrorLine?.(line)
    if (isHopeless(line)) giveUp(line)
    else if (run.patienceMs !== undefined && isRetry(line))
      duePatience ??= setTimeout(() => giveUp(line), run.patienceMs)
  })
  function giveUp(line: string): void {
    stopWith(readFailure(null, [line], run.hide))
  }
  function stopWith(problem: BackupProblem): void {
    hopeless ??= problem
    interrupt()
  }
  const onStop = () => stopWith(run.stop?.reason)
  function keep(line: string): void {
    // A retried call is no reason to fail: if the retries lead nowhere, restic says so in another line.
    if (isCount(line) || isOfTheWay(line)) return
    lines.push(line.slice(0, keptLength))
    if (lines.length > keptLines) lines.shift()
  }

  signal.addEventListener('abort', interrupt, { once: true })
  run.stop?.addEventListener('abort', onStop, { once: true })
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', resolve)
    })
    // A restic that ends early closes the pipe; how it ended says the rest.
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${run.password}\n${run.repository}\n${run.newPassword ?? ''}\n`)
    const code = await ended
    // The process that watches over it ends too, and with it the last of the lines.
    end('SIGKILL')
    await closed
    isOver = true
    signal.throwIfAborted()
    if (hopeless) throw hopeless
    const untaken = await taken
    if (untaken) throw untaken.error
    if (code !== null && (code === 0 || allowed.includes(code))) return code
    throw readFailure(code, lines, run.hide)
  } finally {
    clearTimeout(dueKill)
    clearTimeout(duePatience)
    signal.removeEventListener('abort', interrupt)
    run.stop?.removeEventListener('abort', onStop)
    // Its number may be another's by then.
    if (!isOver) end('SIGKILL')
  }
}

/** As `printf` reads it. */
function octalOf(bytes: Buffer): string {
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

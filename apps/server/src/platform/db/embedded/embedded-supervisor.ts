import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { backoffMs } from '@atoll/contract/wire'
import type { Log } from '../../log.ts'
import type { PostgresBinaries } from './embedded-binaries.ts'
import type { RunAs } from './embedded-user.ts'

export interface SupervisedPostgres {
  pid(): number | undefined
  stop(): Promise<void>
}

interface PostgresOptions {
  data: string
  sockets: string
  binaries: PostgresBinaries
  runAs: RunAs
  log: Log
}

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // Several api and worker processes share one server only through DATABASE_URL; this leaves room for tools.
  max_connections: '200',
  shared_buffers: '128MB',
  // Its messages are read for "ready", and shown when it cannot start.
  lc_messages: 'C',
  log_min_messages: 'warning',
  logging_collector: 'off',
}
const backoff = { firstMs: 100, longestMs: 10_000 }
const stopWithinMs = 15_000

/** Starts PostgreSQL and returns when it takes connections; from then on restarts it whenever it exits unasked. */
export async function supervisePostgres(options: PostgresOptions): Promise<SupervisedPostgres> {
  const { log } = options
  let stopping = false
  let restartTimer: NodeJS.Timeout | undefined
  let failures = 0
  let child = await startPostgres(options)
  watch()

  function watch(): void {
    child.once('exit', (code, signal) => {
      if (stopping) return
      log.error({ code, signal }, 'the embedded database ended by itself; starting it again')
      restartLater()
    })
  }

  function restartLater(): void {
    failures += 1
    restartTimer = setTimeout(
      () => {
        startPostgres(options).then(
          (next) => {
            failures = 0
            child = next
            watch()
            // Asked to stop while it came up.
            if (stopping) child.kill('SIGINT')
          },
          (error: unknown) => {
            log.error({ err: error }, 'the embedded database cannot be started again yet')
            if (!stopping) restartLater()
          },
        )
      },
      backoffMs(failures, backoff),
    )
  }

  return {
    pid: () => child.pid,
    async stop() {
      stopping = true
      clearTimeout(restartTimer)
      if (hasEnded(child)) return
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      // SIGINT is the fast shutdown. SIGTERM would wait until all clients have disconnected.
      child.kill('SIGINT')
      const timer = setTimeout(() => {
        log.error('the embedded database does not stop; ending it at once, the next start recovers')
        child.kill('SIGQUIT')
      }, stopWithinMs)
      await ended
      clearTimeout(timer)
    },
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Resolves with the process once it takes connections; rejects with its last words when it ends before. */
function startPostgres({ data, sockets, binaries, runAs, log }: PostgresOptions): Promise<ChildProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { file, args, ...user } = runAs.command(binaries.postgres, ['-D', data, '-k', sockets, ...flags])
  // detached: its own process group, out of reach of the terminal's Ctrl-C.
  const child = spawn(file, args, { ...user, cwd: data, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const lastLines: string[] = []
  if (child.pid !== undefined) endWithServer(child, child.pid, { data, runAs })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      reject(new Error(`The embedded database on ${data} ended with ${code}: ${lastLines.join('\n')}`))
    })
    createInterface({ input: child.stderr }).on('line', (line) => {
      lastLines.push(line)
      if (lastLines.length > 20) lastLines.shift()
      if (/\b(FATAL|PANIC)\b/.test(line) && !line.includes('due to administrator command'))
        log.warn({ line }, 'message of the database')
      else log.debug({ line }, 'message of the database')
      // A standby accepts those that only read.
      if (/database system is ready to accept (read-only )?connections/.test(line)) resolve(child)
    })
  })
}

/**
 * Has PostgreSQL end however this process ends, by kill -9 too: a shell waits for the end of a pipe that only this
 * process holds open, and then asks for the fast shutdown, if that PostgreSQL is still the one of the folder.
 */
function endWithServer(postgres: ChildProcess, pid: number, { data, runAs }: Pick<PostgresOptions, 'data' | 'runAs'>) {
  const script = 'read -r file; read -r _; [ "$(head -n 1 "$file" 2>/dev/null)" = "$1" ] && kill -INT "$1"'
  // As who started it; nothing of the server's settings is its business.
  const { uid, gid } = runAs.command('sh', [])
  const guard = spawn('sh', ['-c', script, 'sh', String(pid)], {
    ...(uid !== undefined && gid !== undefined && { uid, gid }),
    cwd: '/',
    detached: true,
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without the guard the next start stops what was left behind, as after a power cut.
  guard.on('error', () => undefined)
  const pipe = guard.stdin as Socket | null // node makes the pipe to a child a socket
  pipe?.on('error', () => undefined)
  pipe?.write(`${data}/postmaster.pid\n`)
  pipe?.unref()
  guard.unref()
  postgres.once('exit', () => guard.kill('SIGKILL'))
}

/** Runs a tunnel's own program (frpc, cloudflared) while the agent runs, and says how it goes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs } from '@atoll/contract/wire'
import { describeError, type Log, oneLine } from '../kernel/log.ts'
import type { Endpoint, NetworkReport } from './endpoint.ts'

export interface TunnelProgram {
  /** Looked for in PATH. */
  name: string
  /** No secret in them: every user of the machine can read them. */
  arguments: string[]
  /** A line of its output that says that the tunnel stands. */
  connectedLine: RegExp
  /** One that says why it does not. */
  refusedLine: RegExp
}

/** A missing program is searched for this often: somebody may install it meanwhile. ms */
const searchAgainMs = 15_000
/** The time from the request to stop until a kill, ms. */
const stopGraceMs = 3000
/** One that ran this long had started well. ms */
const settledMs = 30_000
const backoff = { firstMs: 1000, longestMs: 30_000 }

export interface RunOptions {
  report(state: NetworkReport): void
  log: Log
  path?: string
}

export function runProgram(
  program: TunnelProgram,
  { report, log, path = process.env['PATH'] ?? '' }: RunOptions,
): Endpoint {
  const closing = new AbortController()
  const whenClosed = keepRunning()

  async function keepRunning(): Promise<void> {
    let failures = 0
    while (!closing.signal.aborted) {
      const file = await findInPath(program.name, path)
      if (file === undefined) {
        report({ state: 'missing', reason: `${program.name} is not installed on this machine` })
        await pause(searchAgainMs)
        continue
      }
      report({ state: 'connecting', reason: null })
      const startedAt = performance.now()
      const reason = await runOnce(file)
      if (closing.signal.aborted) return
      failures = performance.now() - startedAt > settledMs ? 1 : failures + 1
      log.warn('network', `${program.name} ended (${reason})`)
      report({ state: 'failed', reason: `${program.name} ended: ${reason}` })
      await pause(backoffMs(failures, backoff))
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined) // aborted: the loop ends
  }

  /** Resolves with the reason when it has ended. */
  async function runOnce(file: string): Promise<string> {
    const over = Promise.withResolvers<string>()
    const child = spawn(file, program.arguments, { stdio: ['ignore', 'pipe', 'pipe'] })
    let last = ''
    const onLine = (line: string) => {
      last = oneLine(line).slice(0, 200)
      if (program.connectedLine.test(line)) report({ state: 'connected', reason: null })
      else if (program.refusedLine.test(line)) report({ state: 'failed', reason: last })
    }
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine)
    child.once('error', (error) => over.resolve(describeError(error)))
    child.once('close', (code, signal) => over.resolve(last || `${code ?? signal}`))
    const stop = () => stopChild(child)
    closing.signal.addEventListener('abort', stop, { once: true })
    const reason = await over.promise
    closing.signal.removeEventListener('abort', stop)
    return reason
  }

  return {
    traffic: () => ({ in: 0, out: 0 }), // it connects to the personal server, which counts
    async close() {
      closing.abort()
      await whenClosed
    },
  }
}

function stopChild(child: ChildProcess): void {
  child.kill('SIGTERM')
  setTimeout(() => child.kill('SIGKILL'), stopGraceMs).unref()
}

async function findInPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = join(folder, name)
    const isProgram = await access(file, constants.X_OK).then(
      () => true,
      () => false, // not there, or not for us: the next folder
    )
    if (isProgram) return file
  }
  return undefined
}

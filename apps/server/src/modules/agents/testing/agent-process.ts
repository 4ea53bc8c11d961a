/** The real agent as a process, for tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentEntryPoint, until } from '@atoll/testkit'

export interface AgentProcess {
  child: ChildProcess
  /** Its log so far. */
  log(): string
  /** Exit code, or the signal that ended it. */
  exited: Promise<number | NodeJS.Signals | null>
  /** Its port, once it listens. */
  port(): Promise<number>
  kill(signal: NodeJS.Signals): Promise<void>
}

export function startAgentProcess(
  home: string,
  environment: Record<string, string | undefined>,
  program: string = agentEntryPoint,
): AgentProcess {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], ATOLL_AGENT_HOME: home, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr?.on('data', (chunk) => {
    log += chunk
  })
  const exited = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  return {
    child,
    log: () => log,
    exited,
    async port() {
      return await until(
        'the agent listens',
        async () => {
          if (child.exitCode !== null) throw new Error(`the agent ended with ${child.exitCode}: ${log}`)
          const run = JSON.parse(await readFile(join(home, 'run.json'), 'utf8'))
          return run.pid === child.pid ? Number(run.port) : undefined
        },
        { intervalMs: 10, onTimeout: () => log },
      )
    },
    async kill(signal) {
      child.kill(signal)
      await exited
    },
  }
}

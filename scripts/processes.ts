import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { projectRoot } from './project.ts'

const passedOn: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program in the project's folder to its end; gives its exit code (128 + signal when a signal ended it). Told
 * to stop meanwhile, it passes that on, waits for the program and then ends this process.
 */
export async function runToEnd(command: string, args: string[], options: SpawnOptions = {}): Promise<number> {
  const child = spawn(command, args, { cwd: projectRoot, stdio: 'inherit', ...options })
  let stoppedBy: NodeJS.Signals | undefined
  const passOn = (signal: NodeJS.Signals) => {
    stoppedBy = signal
    child.kill(signal)
  }
  for (const signal of passedOn) process.on(signal, passOn)
  try {
    const code = await exitCodeOf(child)
    if (stoppedBy) process.exit(128 + constants.signals[stoppedBy])
    return code
  } finally {
    for (const signal of passedOn) process.off(signal, passOn)
  }
}

/** Stops this process as Ctrl-C would when the one that started it (scripts/with-node.mjs) is gone, killed perhaps. */
export function stopWithParent(): void {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // The channel alone must not keep the process.
  process.channel?.unref()
}

/** The same with its output, standard output and error together. */
export async function runAndRead(command: string, args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return { code: await exitCodeOf(child), output }
}

function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })
}

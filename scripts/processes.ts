import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { projectRoot } from './project.ts'

/** Runs a program in the project's folder to its end; gives its exit code (128 + signal when a signal ended it). */
export async function runToEnd(command: string, args: string[], options: SpawnOptions = {}): Promise<number> {
  const child = spawn(command, args, { cwd: projectRoot, stdio: 'inherit', ...options })
  return await exitCodeOf(child)
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
    child.once('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })
}

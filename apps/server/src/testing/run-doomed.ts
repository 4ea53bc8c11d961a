import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'

/** Runs a program that kills itself (SIGKILL) at boundaries of its work; gives the ids that it printed before. */
export async function runDoomed(program: string, options: object): Promise<string[]> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  const [, signal] = await once(child, 'close')
  expect([signal, said.err]).toEqual(['SIGKILL', ''])
  return JSON.parse(said.out)
}

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { until } from '@atoll/testkit'
import { Client } from 'pg'
import { expect } from 'vitest'
import { bundledProgram } from '../../../../scripts/testing/bundled-program.ts'

/**
 * Runs a program that kills itself (SIGKILL) at boundaries of its work; gives the ids that it printed before. Its
 * sessions in the database are over by then: until PostgreSQL has noticed the end of a process, the locks of that
 * process are held, and what is carried on would find its subject locked.
 */
export async function runCrashing(program: string, options: { databaseUrl: string }): Promise<string[]> {
  const name = `doomed-${randomUUID()}`
  const url = new URL(options.databaseUrl)
  url.searchParams.set('application_name', name)
  const crashing = JSON.stringify({ ...options, databaseUrl: url.href })
  const child = spawn(process.execPath, [await bundledProgram(program), crashing], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  const [, signal] = await once(child, 'close')
  expect([signal, said.err]).toEqual(['SIGKILL', ''])
  await waitForEnd(options.databaseUrl, name)
  return JSON.parse(said.out)
}

async function waitForEnd(databaseUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await until('the sessions of the killed program are over', async () => {
      const { rowCount } = await client.query('select from pg_stat_activity where application_name = $1', [name])
      return rowCount === 0
    })
  } finally {
    await client.end()
  }
}

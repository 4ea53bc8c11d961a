/**
 * Vitest global setup: one PostgreSQL per run with a migrated template, whatever number of projects asks for it.
 * Test files clone the template with `createTestDatabase()`.
 */
import { spawn } from 'node:child_process'
import { Client } from 'pg'
import { serverEntryPoint } from '../repository.ts'
import { startPostgresServer } from './postgres-server.ts'
import { postgresVariable, templateDatabase } from './test-database.ts'

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Another project of this run has set it up already, and will tear it down when the run ends.
  if (process.env[postgresVariable]) return undefined
  const server = await startPostgresServer()
  try {
    await createTemplate(server.url('postgres'))
    await migrateTemplate(server.url(templateDatabase))
  } catch (error) {
    await server.stop()
    throw error
  }
  process.env[postgresVariable] = server.url('postgres')
  return async () => {
    delete process.env[postgresVariable]
    await server.stop()
  }
}

async function createTemplate(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${templateDatabase}`)
  } finally {
    await client.end()
  }
}

/** The server's own entry point does it, so that tests see exactly the schema that a deployment gets. */
async function migrateTemplate(url: string): Promise<void> {
  const child = spawn(process.execPath, [serverEntryPoint, 'migrate'], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`migrating the template ended with ${code}:\n${output}`)
}

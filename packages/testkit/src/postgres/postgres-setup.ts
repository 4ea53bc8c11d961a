/**
 * Vitest global setup: one PostgreSQL per run with a migrated template, whatever number of projects asks for it.
 * Test files clone the template with `createTestDatabase()`.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { serverProgram } from '../repository.ts'
import { startPostgresServer } from './postgres-server.ts'
import { postgresVariable, runAsAdmin, templateDatabase } from './test-database.ts'

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Another project of this run has set it up already, and will tear it down when the run ends.
  if (process.env[postgresVariable]) return undefined
  const server = await startPostgresServer({ inMemory: true })
  try {
    await runAsAdmin(server.url('postgres'), `create database ${templateDatabase}`)
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

/** The server's own entry point does it, so that tests see exactly the schema that a deployment gets. */
async function migrateTemplate(url: string): Promise<void> {
  await promisify(execFile)(process.execPath, [serverProgram(), 'migrate'], {
    env: { ...process.env, DATABASE_URL: url },
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`the template was not migrated:\n${error.stdout}${error.stderr}`)
  })
}

import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ordinaryEnvironment } from './ordinary-environment.ts'
import { serverProgram } from './repository.ts'

/** Environment variable by which the global setup passes test files the template; not one of the server's own. */
const templateVariable = 'TEST_SERVER_TEMPLATE'
const run = promisify(execFile)

/**
 * Vitest global setup: the embedded database of a server, made and migrated once for a run. To make it takes as much
 * processor time as all else that a server does at its first start.
 */
export async function setup(): Promise<(() => void) | undefined> {
  // Another project of this run has made it already, and will remove it.
  if (process.env[templateVariable]) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'atoll-server-template-'))
  chmodSync(folder, 0o755)
  try {
    await run(process.execPath, [serverProgram(), 'migrate'], {
      env: { ...ordinaryEnvironment(), ATOLL_DATA_DIR: folder },
    })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  process.env[templateVariable] = folder
  return () => {
    delete process.env[templateVariable]
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Gives a data folder that is empty the database of the template, where the run has one. */
export async function copyTemplateTo(dataDir: string): Promise<void> {
  const template = process.env[templateVariable]
  // Its files belong to the user of PostgreSQL, which a copy by Node would not keep.
  if (template) await run('cp', ['-a', join(template, 'postgres'), dataDir])
}

/** Vitest global setup: the servers and agents under test start as a release's do. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot, serverBundleVariable } from '@atoll/testkit'

export async function setup(): Promise<(() => void) | undefined> {
  // Another project of this run has made it already, and will remove it.
  if (process.env[serverBundleVariable]) return undefined
  const cache = join(repositoryRoot, '.cache')
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, 'bundled-'))
  const remove = () => rmSync(made, { recursive: true, force: true })
  try {
    const program = join(repositoryRoot, 'release/lay-out-in-checkout.ts')
    await promisify(execFile)(process.execPath, [program, join(made, 'atoll')])
  } catch (error) {
    remove()
    throw error
  }
  process.env[serverBundleVariable] = join(made, 'atoll/server/atoll.mjs')
  return () => {
    delete process.env[serverBundleVariable]
    remove()
  }
}

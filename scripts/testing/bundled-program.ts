import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { bundleForNode } from '../building/node-bundle.ts'
import { projectRoot } from '../project.ts'

const made = new Map<string, Promise<string>>()

/**
 * Bundles a program that a test starts and kills many times, and returns the path of the bundle, which goes with this
 * process. To load the program from hundreds of sources takes longer than what it does.
 */
export function bundledProgram(source: string): Promise<string> {
  const known = made.get(source)
  if (known) return known
  const bundled = bundle(source)
  made.set(source, bundled)
  return bundled
}

async function bundle(source: string): Promise<string> {
  const cache = join(projectRoot, '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'program-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const name = basename(source, '.ts')
  await bundleForNode({ [name]: source }, folder)
  return join(folder, `${name}.mjs`)
}

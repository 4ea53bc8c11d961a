import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Folder with this agent's package.json and web/dist: the workspace when it runs from source, and the folder of
 * main.mjs when it runs from the bundle of scripts/building/agent-bundle.ts.
 */
export const packageFolder = findPackage(import.meta.dirname)

function findPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = dirname(folder)
  if (above === folder) throw new Error('The agent has no package.json above its code')
  return findPackage(above)
}

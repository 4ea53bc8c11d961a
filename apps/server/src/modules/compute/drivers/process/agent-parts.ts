/**
 * The files of this installation that an instance needs: launcher, agent, and every package it uses, found by their
 * manifests.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { locales } from '@atoll/contract/wire'
import { z } from 'zod'
import { installRoot } from '../../../../platform/install.ts'

/** Paths from the project's folder. */
export const launcher = 'apps/server/src/modules/compute/drivers/process/launch.ts'
const agentFolder = 'apps/agent'
export const agentProgram = `${agentFolder}/src/main.ts`

export interface AgentParts {
  /** `path` from the project's folder. */
  files: { path: string; source: string }[]
  /** Workspaces in node_modules, which are links to their folders. */
  links: { path: string; target: string }[]
  /** Another one when any of them changed; a package of a registry never changes within its version. */
  hash: string
}

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()).optional() })
/** Node does not run TypeScript in node_modules; the rest says things about the code. */
const unused = /\.[cm]?ts$|\.map$|\.md$/i

export function listAgentParts(): AgentParts {
  const workspaces = new Set([agentFolder])
  const libraries = new Set<string>()
  const links = new Map<string, string>()
  // Sets and maps give what is added while they are walked, too.
  for (const from of walk(workspaces, libraries)) {
    for (const name of dependenciesOf(from)) {
      const path = findPackage(from, name)
      const real = relative(installRoot, realpathSync(join(installRoot, path)))
      if (/^packages\/[^/]+$/.test(real)) {
        workspaces.add(real)
        links.set(path, relative(dirname(path), real))
      } else libraries.add(path)
    }
  }
  const own = ['package.json', launcher, ...[...workspaces].flatMap(listWorkspace)].sort()
  const foreign = [...libraries].sort()
  const hash = createHash('sha256')
  for (const path of [...own, ...foreign.map((folder) => join(folder, 'package.json'))]) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(installRoot, path)))
      .update('\0')
  }
  return {
    files: [...own, ...foreign.flatMap((folder) => listFiles(folder).filter((path) => !unused.test(path)))].map(
      (path) => ({ path, source: join(installRoot, path) }),
    ),
    links: [...links].map(([path, target]) => ({ path, target })),
    hash: hash.digest('hex').slice(0, 16),
  }
}

function* walk(...growing: Set<string>[]): Generator<string> {
  const seen = new Set<string>()
  for (;;) {
    const next = growing.flatMap((set) => [...set]).find((folder) => !seen.has(folder))
    if (next === undefined) return
    seen.add(next)
    yield next
  }
}

function dependenciesOf(folder: string): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(installRoot, folder, 'package.json'), 'utf8'))
  return Object.keys(Manifest.parse(manifest).dependencies ?? {})
}

/** As Node resolves it: in the node_modules of each folder upwards. */
function findPackage(from: string, name: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(join(installRoot, path, 'package.json'))) return path
    if (folder === '.') throw new Error(`the package ${name} is not installed`)
  }
}

/** A workspace as an instance needs it: its sources, its built pages, and the texts that are not those of pages. */
function listWorkspace(folder: string): string[] {
  const folders = ['src', 'web/dist', ...locales.map((locale) => `${locale}/shared`)].map((name) => join(folder, name))
  const present = folders.filter((path) => existsSync(join(installRoot, path)))
  return [join(folder, 'package.json'), ...present.flatMap(listFiles).filter((path) => !path.endsWith('.test.ts'))]
}

/** All files in `folder`, without packages nested in it. */
function listFiles(folder: string): string[] {
  return readdirSync(join(installRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(path)
    return entry.isFile() ? [path] : []
  })
}

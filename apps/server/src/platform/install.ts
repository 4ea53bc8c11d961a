/**
 * Where this program lies and which one it is. A checkout and a release have the same shape: a folder whose
 * package.json is named `atoll`, with apps/ and node_modules/ in it. Code is found by that folder and not by its own
 * place, because a release has all of it in server/ (release/bundle.ts).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

export interface Build {
  /** Of package.json: semantic versioning. */
  version: string
  /** Twelve hexadecimal digits; undefined in a checkout that git does not read. */
  commit: string | undefined
}

/** A release has its commit written into it. */
const Manifest = z.object({ name: z.literal('atoll'), version: z.string(), commit: z.string().optional() })
type Manifest = z.infer<typeof Manifest>

const found = findInstall(import.meta.dirname)

/** The folder of the installation, absolute. */
export const installRoot = found.folder

/** Whether this is a release: nothing in it is built or fetched. */
export const isRelease = found.manifest.commit !== undefined

let known: Build | undefined

/** The program that runs, as the log, /healthz, /metrics and the console say it. */
export function currentBuild(): Build {
  known ??= { version: found.manifest.version, commit: found.manifest.commit ?? readCommit(found.folder) }
  return known
}

/** `0.1.0+44a5744c1d2e`, as semantic versioning writes what a version was built from. */
export function describeBuild({ version, commit }: Build): string {
  return commit === undefined ? version : `${version}+${commit}`
}

function findInstall(from: string): { folder: string; manifest: Manifest } {
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = readManifest(join(folder, 'package.json'))
    if (manifest) return { folder, manifest }
    if (folder === dirname(folder)) throw new Error(`No package.json above ${from} is named atoll`)
  }
}

/** Undefined for the package.json of a workspace. */
function readManifest(file: string): Manifest | undefined {
  return existsSync(file) ? Manifest.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data : undefined
}

function readCommit(folder: string): string | undefined {
  // Files that were unpacked inside somebody's repository are not of its commit.
  if (!existsSync(join(folder, '.git'))) return undefined
  try {
    const asked = ['rev-parse', '--short=12', 'HEAD']
    return execFileSync('git', asked, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined // without git, or in a folder of another user, the version alone is known
  }
}

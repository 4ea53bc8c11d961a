/**
 * The manifest after each run of a backup, from what is kept of the one before: where nothing changed, neither since
 * then nor during the run, its root; otherwise the hashes of the files that are as they were.
 */
import { createHmac } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Manifest } from '@atoll/contract/agents'
import { hasErrorCode, writeFileAtomic } from '../../kernel/atomic-file.ts'
import { type KnownHashes, type ManifestOptions, readManifest } from './read-manifest.ts'
import { stampTree, type TreeStamps } from './tree-stamps.ts'

/** Of SHA-256, in hex. */
const hashLength = 64

/** A tree of which every entry is in the root. */
interface Whole {
  /** Keyed, of what the tree was like: `TreeStamps`. */
  tree: string
  root: string
  files: number
}

interface RenewOptions extends Pick<ManifestOptions, 'root' | 'places' | 'key' | 'signal'> {
  /** As the tree was before it was backed up. */
  before: TreeStamps
  /** The kept manifest; replaced once it is outdated. */
  file: string
}

export async function renewManifest({ before, file, ...options }: RenewOptions): Promise<Manifest> {
  const text = await readKept(file)
  const whole = parseWhole(text)
  const tree = createHmac('sha256', options.key).update(before.digest).digest('hex')
  if (whole?.tree === tree) {
    const after = await stampTree(options.root, options.places)
    if (after.digest === before.digest) return { root: whole.root, files: whole.files, apart: [] }
  }
  const known = parseHashes(text)
  const { hashes, ...manifest } = await readManifest({ ...options, known, before: before.byPath() })
  const { root, files, apart } = manifest
  await writeKept(file, text, {
    hashes,
    whole: root !== null && apart.length === 0 ? { tree, root, files } : undefined,
  })
  return manifest
}

async function readKept(file: string): Promise<string> {
  return await readFile(file, 'latin1').catch((error: unknown) => {
    if (!hasErrorCode(error, 'ENOENT')) throw error
    return ''
  })
}

/** The first line, `whole`, tree, root and number of files; undefined: the manifest before had no root of all. */
function parseWhole(text: string): Whole | undefined {
  const found = /^whole ([0-9a-f]{64}) ([0-9a-f]{64}) ([0-9]{1,15})\n/.exec(text)
  return found ? { tree: found[1] ?? '', root: found[2] ?? '', files: Number(found[3]) } : undefined
}

/**
 * A line each, stamp and hash: as JSON they would take several times as long to read. A line that is none, as of a file
 * of before, costs reading one file again.
 */
function parseHashes(text: string): KnownHashes {
  const hashes: KnownHashes = new Map()
  for (const line of text.split('\n')) {
    const at = line.length - hashLength
    if (at > 1 && line[at - 1] === ' ') hashes.set(line.slice(0, at - 1), line.slice(at))
  }
  return hashes
}

/** A full disk costs no backup: the next root is then made by reading every file. */
async function writeKept(
  file: string,
  before: string,
  { hashes, whole }: { hashes: KnownHashes; whole: Whole | undefined },
): Promise<void> {
  const first = whole ? `whole ${whole.tree} ${whole.root} ${whole.files}\n` : ''
  const text = first + Array.from(hashes, ([stamp, hash]) => `${stamp} ${hash}\n`).join('')
  if (text === before) return
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFileAtomic(file, text)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT')) throw error
  }
}

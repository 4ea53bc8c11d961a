/**
 * The files of the personal server's front end, and their hashes. The build writes `release.json` beside them;
 * install compares what is on this machine with it, so a release that was copied badly, or changed afterwards, is not
 * put into service.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { hasErrorCode } from '../kernel/atomic-file.ts'
import { packageFolder } from '../kernel/package-folder.ts'

/** Where the build of `apps/agent/web` is. */
export const webFolder = join(packageFolder, 'web/dist')
const manifestName = 'release.json'

const Manifest = z.object({ files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)) })
export type Manifest = z.infer<typeof Manifest>

/**
 * SHA-256 of every file under `folder` by its path with `/`, but for the manifest and names that begin with a dot;
 * undefined without the folder.
 */
export async function hashRelease(folder: string, signal?: AbortSignal): Promise<Manifest | undefined> {
  let entries: Awaited<ReturnType<typeof listFiles>>
  try {
    entries = await listFiles(folder)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
  const files: Record<string, string> = {}
  for (const path of entries) files[path] = await hashFile(join(folder, path), signal)
  return { files }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && entry.name !== manifestName)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { ...(signal && { signal }) })
  return hash.digest('hex')
}

/** The files that the build lists; undefined for a build without a manifest. */
export async function readReleaseManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(folder, manifestName), 'utf8')))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw new Error('The release manifest of the personal server cannot be read. Build it again, and retry.', {
      cause: error,
    })
  }
}

/** The first path whose hash differs from the manifest's, that is missing, or that the manifest does not know. */
export function firstDifference(expected: Manifest, found: Manifest): string | undefined {
  const paths = new Set([...Object.keys(expected.files), ...Object.keys(found.files)])
  return [...paths].sort().find((path) => expected.files[path] !== found.files[path])
}

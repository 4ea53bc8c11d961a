/**
 * `release.json` of the personal server's pages: the SHA-256 of every file of the build. An agent compares what is on
 * its machine with it before it puts a release into service (apps/agent, install step `fetch`).
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Writes the manifest of the finished build in `folder`; files whose names begin with a dot are not part of it. */
export function writeReleaseManifest(folder: string): void {
  const paths = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && entry.name !== 'release.json')
    .map((entry) => join(entry.parentPath, entry.name))
  const files = Object.fromEntries(
    paths
      .sort()
      .map((path) => [
        relative(folder, path).split(sep).join('/'),
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      ]),
  )
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ files }))
}

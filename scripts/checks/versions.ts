/**
 * One version: every workspace has that of the product, and names the others by it. An agent run from its sources
 * reports the version of its own package.json, so a second number would be a wrong report.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** A line for each place under `root` that has another version than the package.json of the product. */
export function findOtherVersions(root: string): string[] {
  const read = (file: string): Manifest => JSON.parse(readFileSync(join(root, file), 'utf8')) // our own files
  const { version } = read('package.json')
  return globSync('{apps,packages}/*/package.json', { cwd: root })
    .sort()
    .flatMap((file) => {
      const manifest = read(file)
      const named = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
      const versions: [name: string, version: string][] = [
        [manifest.name, manifest.version],
        ...named.filter(([name]) => name.startsWith('@atoll/')),
      ]
      return versions
        .filter(([, other]) => other !== version)
        .map(([name, other]) => `${file}: ${name} is ${other}, the product ${version}`)
    })
}

/** What package-lock.json says. Plain JavaScript, because with-node.mjs reads it before any package is there. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** The packages of a lockfile, or of npm's own record of what it has installed, by their paths in the project. */
export function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/**
 * Paths of `starts` and of all that they load when they run. `development`: what the starts themselves are developed
 * with counts too.
 */
export function reachablePackages(packages, starts, { development = false } = {}) {
  const reached = new Set(starts)
  for (const path of reached) {
    const entry = packages[path]
    if (!entry) throw new Error(`package-lock.json has no ${path}`)
    const own = development && starts.includes(path) ? entry.devDependencies : {}
    const { dependencies, optionalDependencies } = entry
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...neededPeers(entry), ...own })) {
      // An optional one may be nowhere.
      const found = findPackage(packages, path, name)
      if (found !== undefined) reached.add(found)
    }
  }
  return [...reached]
}

function neededPeers({ peerDependencies = {}, peerDependenciesMeta = {} }) {
  return Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional))
}

/** Where Node finds `name` from the package at `path`: in the nearest node_modules above. */
function findPackage(packages, path, name) {
  for (let folder = path; ; folder = posix.dirname(folder)) {
    const found = posix.join(folder, 'node_modules', name)
    if (packages[found]) return packages[found].link ? packages[found].resolved : found
    if (folder === '.') return undefined
  }
}

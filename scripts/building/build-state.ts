/**
 * Built files (pages of the front ends, the agent's archive), and whether they match the present sources. Asking needs
 * no package, so a server whose pages are current starts where none can be installed.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type LockedPackages, reachablePackages, readPackages } from '../lockfile.mjs'
import { projectRoot } from '../project.ts'

export interface FrontEnd {
  name: string
  /** Absolute. */
  folder: string
}

/** Sources of pages besides the front end's own folder. */
const sharedSources = [
  // The console's help.
  'docs/user/*/*.md',
  'packages/*/{src,program}/**/*',
  'packages/texts/*-*/**/*',
  'tsconfig*.json',
  'scripts/building/statement-verifier.ts',
]
/** The route tree is written by the build itself. */
const notSources = /\.test\.tsx?$|\.gen\.ts$/
/** Packages of the project that pages are built with. */
const pageBuilders = ['vite', '@vitejs/plugin-react', '@tanstack/router-plugin']

/** The agent's archive: what the server gives to machines that enrol. */
export const agentArchive = join(projectRoot, 'apps/agent/dist/agent.tar.gz')
/** Everything that the archive is made from; the pages by their build's own stamp. */
const archiveSources = [
  'apps/agent/src/**/*.ts',
  'apps/agent/package.json',
  'apps/agent/web/dist/.sources',
  'packages/{contract,did,texts}/src/**/*.ts',
  'packages/texts/*/shared/*',
  'scripts/building/agent-*.ts',
]

/** Beside what was built: the hash of its sources. */
export const stampName = '.sources'
/** A service user serves the built files, regardless of the user who built them. */
export const builtFolderMode = 0o755

/** The front ends that exist, in the order in which they are built. */
export function listFrontEnds(): FrontEnd[] {
  return ['apps/console', 'apps/wallet', 'apps/agent/web']
    .map((name) => ({ name, folder: join(projectRoot, name) }))
    .filter(({ folder }) => existsSync(join(folder, 'vite.config.ts')))
}

/** Whether `dist` was built from the sources as they are now, for every user of this machine. */
export function isCurrent(frontEnd: FrontEnd): boolean {
  const folder = join(frontEnd.folder, 'dist')
  const stamp = join(folder, stampName)
  if (!existsSync(stamp) || (statSync(folder).mode & 0o777) !== builtFolderMode) return false
  return readFileSync(stamp, 'utf8') === pagesHash(frontEnd)
}

/** Whether the agent's archive was packed from the sources as they are now. */
export function isAgentArchiveCurrent(): boolean {
  const stamp = join(dirname(agentArchive), stampName)
  return existsSync(agentArchive) && existsSync(stamp) && readFileSync(stamp, 'utf8') === archiveHash()
}

/** Hash over everything that goes into the build of a front end: names, contents, versions of packages. */
export function pagesHash({ name }: FrontEnd): string {
  const files = globSync([`${name}/**/*`, ...sharedSources], {
    cwd: projectRoot,
    withFileTypes: true,
    exclude: (entry) => ['node_modules', 'dist', '.tanstack'].includes(typeof entry === 'string' ? entry : entry.name),
  })
  return hashOf(files, describePagePackages(readPackages(join(projectRoot, 'package-lock.json')), name))
}

/** The same for the agent's archive. */
export function archiveHash(): string {
  const files = globSync(archiveSources, { cwd: projectRoot, withFileTypes: true })
  const packages = readPackages(join(projectRoot, 'package-lock.json'))
  return hashOf(files, describe(packages, reachablePackages(packages, ['apps/agent', 'node_modules/vite'])))
}

/** The packages that go into the pages of a front end, a line each. */
export function describePagePackages(packages: LockedPackages, name: string): string {
  // The personal server's pages are developed beside the agent, which does not load what they are made with.
  const workspace = name === 'apps/agent/web' ? 'apps/agent' : name
  const starts = [workspace, ...pageBuilders.map((builder) => `node_modules/${builder}`)]
  return describe(packages, reachablePackages(packages, starts, { development: true }))
}

function describe(packages: LockedPackages, paths: string[]): string {
  return paths
    .map((path) => `${path} ${packages[path]?.version} ${packages[path]?.integrity}`)
    .sort()
    .join('\n')
}

function hashOf(files: { parentPath: string; name: string; isFile(): boolean }[], packages: string): string {
  const paths = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const hash = createHash('sha256').update(packages).update('\0')
  for (const path of paths.filter((file) => !notSources.test(file)).sort()) {
    hash.update(relative(projectRoot, path)).update('\0').update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}

/**
 * The folder of a release, as the archive, the Debian package and the image hold it (docs/operator/release.md):
 *   node/bin/node            Node, without the names that only a debugger reads
 *   server/*.mjs             the bundle; server/atoll.mjs is the server
 *   node_modules/            packages that are files: sharp with its native part, the fonts
 *   apps/server/             migrations, and the files that other machines and processes are given as they are
 *   apps/{console,wallet}/dist   the pages
 *   apps/agent/              the agent that this machine's own instances run, and the signed archive for others
 *   image/                   the image of LXD instances, where one was built
 *   release-key.pem          of a signed release: what verifies the next one
 *   catalog.yaml, package.json   an example to begin with; name, version and commit
 */
import { execFileSync } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { productFontSources } from '../apps/server/src/http/pages/product-fonts.ts'
import { fileFontSources } from '../apps/server/src/modules/billing/invoice-files/file-fonts.ts'
import { launcher } from '../apps/server/src/modules/compute/drivers/process/agent-parts.ts'
import { packFolder } from '../scripts/building/agent-archive.ts'
import { type AgentIdentity, bundleAgent } from '../scripts/building/agent-bundle.ts'
import { agentArchive, isCurrent, listFrontEnds } from '../scripts/building/build-state.ts'
import { buildFrontEnd } from '../scripts/building/front-ends.ts'
import { buildGuestImage, imageFolder } from '../scripts/building/guest-image.ts'
import { reachablePackages, readPackages } from '../scripts/lockfile.mjs'
import { ensureRestic } from '../scripts/programs/restic.ts'
import { projectRoot } from '../scripts/project.ts'
import { bundleServer } from './bundle.ts'
import { describeAgent, publicKeyOf } from './sums.ts'

export interface Identity {
  version: string
  commit: string
  /** When that was committed, seconds. */
  at: number
}

/** Options of Node that the server is run with: those of its unit. */
export const nodeOptions = readNodeOptions()

function readNodeOptions(): string[] {
  const unit = readFileSync(join(projectRoot, 'release/debian/atoll@.service'), 'utf8')
  const [, options = ''] = /^ExecStart=\S+\/node (.*?)\S+\/atoll\.mjs /m.exec(unit) ?? []
  return options.split(' ').filter(Boolean)
}

/** Packages that stay files, with all that they load. */
const packagesAsFiles = ['node_modules/sharp']
/** Files of the server that are read or run as they are. */
const serverFiles = ['apps/server/src/modules/agents/enroll/enroll.sh', launcher]
/** Nobody runs these; left out, the archive is half as large. */
const needless = /\.(d\.[cm]?ts|map|md|markdown)$|\/(docs|test|tests|example|examples)\//

/** Lays out the release in `folder`, which is emptied first. The same sources and key give the same bytes. */
export async function layOut(folder: string, identity: Identity, key?: KeyObject): Promise<void> {
  await layOutServer(folder, identity)
  const copy = copierTo(folder)
  for (const frontEnd of listFrontEnds()) {
    if (!isCurrent(frontEnd)) await buildFrontEnd(frontEnd)
    // The agent's are in its own folder.
    if (frontEnd.name !== 'apps/agent/web') copy(`${frontEnd.name}/dist`)
  }
  const agent = { ...identity, publicKey: key && publicKeyOf(key) }
  await layOutAgent(join(folder, 'apps/agent'), agent, key)
  if (existsSync(imageFolder)) await layOutImage(join(folder, 'image'), agent)
}

/** The part of it that the server is made of, without pages, agent and image. */
export async function layOutServer(folder: string, { version, commit }: Omit<Identity, 'at'>): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const copy = copierTo(folder)
  writeJson(join(folder, 'package.json'), { name: 'atoll', version, commit, private: true, type: 'module' })
  layOutNode(join(folder, 'node/bin/node'))
  await bundleServer(join(folder, 'server'))
  for (const path of listPackageFiles()) copy(path)
  for (const source of [...productFontSources, ...fileFontSources]) {
    const packageName = source.split('/').slice(0, 2).join('/')
    for (const file of [source, `${packageName}/package.json`, `${packageName}/LICENSE`]) copy(`node_modules/${file}`)
  }
  for (const path of ['apps/server/migrations', ...serverFiles, 'catalog.yaml']) copy(path)
}

/**
 * Lays out in `folder`, which lies within the checkout and does not exist yet, what `layOut` does, of the pages that
 * were built and the agent's archive that was packed, but as the checkout's: without a commit, and with its packages.
 */
export async function layOutInCheckout(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeJson(join(folder, 'package.json'), { name: 'atoll', version: readVersion(), private: true, type: 'module' })
  await bundleServer(join(folder, 'server'))
  const copy = copierTo(folder)
  const pages = listFrontEnds().filter(({ name }) => name !== 'apps/agent/web')
  for (const path of ['apps/server/migrations', ...serverFiles, 'catalog.yaml', 'apps/agent/dist']) copy(path)
  for (const { name } of pages) copy(`${name}/dist`)
  const agent = join(folder, 'apps/agent')
  mkdirSync(join(agent, 'src'))
  execFileSync('tar', ['-xf', agentArchive, '-C', join(agent, 'src')])
  standAsInCheckout(agent)
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, '.cache'))
  symlinkSync(imageFolder, join(folder, '.cache/image'))
}

/** Copies files and folders by their path in the project. */
function copierTo(folder: string): (path: string) => void {
  return (path) => cpSync(join(projectRoot, path), join(folder, path), { recursive: true })
}

/** Node is a large program, mostly of names for debuggers: 121 MB with them, 104 without. */
function layOutNode(target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  cpSync(process.execPath, target)
  chmodSync(target, 0o755)
  execFileSync('strip', [target])
}

/** As in a checkout, where this machine's own instances find it: src/main.ts and web/dist. */
async function layOutAgent(folder: string, agent: AgentIdentity, key: KeyObject | undefined): Promise<void> {
  const bundle = `${folder}.bundle`
  await bundleAgent(bundle, agent)
  mkdirSync(join(folder, 'dist'), { recursive: true })
  const archive = join(folder, 'dist/agent.tar.gz')
  packFolder(bundle, archive)
  writeJson(join(folder, 'dist/agent.json'), describeAgent(readFileSync(archive), agent, key))
  renameSync(bundle, join(folder, 'src'))
  standAsInCheckout(folder)
}

/** Gives the parts of an agent's bundle in `src` the places that they have in a checkout. */
function standAsInCheckout(folder: string): void {
  for (const name of ['web', 'package.json']) renameSync(join(folder, 'src', name), join(folder, name))
  writeFileSync(join(folder, 'src/main.ts'), "import './main.mjs'\n")
}

/** The image of instances on LXD, with the agent of this release. */
async function layOutImage(folder: string, agent: AgentIdentity): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const fingerprint = await buildGuestImage(folder, await ensureRestic(() => undefined), agent)
  writeJson(join(folder, 'image.json'), { fingerprint })
}

function listPackageFiles(): string[] {
  const packages = readPackages(join(projectRoot, 'package-lock.json'))
  return (
    reachablePackages(packages, packagesAsFiles)
      // Native parts for other machines are in the lockfile and not installed.
      .filter((path) => existsSync(join(projectRoot, path)))
      .flatMap((path) =>
        execFileSync('find', [path, '-type', 'f'], { cwd: projectRoot, encoding: 'utf8' }).trim().split('\n'),
      )
      .filter((path) => !needless.test(path))
      .sort()
  )
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

/** Version of package.json, and the commit; `-modified` where the work tree is not what was committed. */
export function readIdentity(): Identity {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--short=12', 'HEAD')
  const at = Number(git('log', '-1', '--format=%ct', 'HEAD'))
  return { version: readVersion(), commit: git('status', '--porcelain') === '' ? commit : `${commit}-modified`, at }
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string } // ours
  return version
}

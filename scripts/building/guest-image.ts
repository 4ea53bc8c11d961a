/**
 * The LXD image of an instance, kept in .cache/image until what it is made of changes:
 *   metadata.tar.gz, rootfs.squashfs   the two parts of a split image
 *   image.json                         their fingerprint as LXD computes it, and what they were made from
 * Everything in it comes from this machine's Debian packages, this project's Node and the agent's sources.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch } from 'node:os'
import { join, relative } from 'node:path'
import { busyboxPath, guestSources, imageTime, writeGuestFiles, writeMetadata } from '../image/guest-files.ts'
import { runAndRead } from '../processes.ts'
import { ensureRestic } from '../programs/restic.ts'
import { projectRoot } from '../project.ts'
import { type AgentIdentity, bundleAgent } from './agent-bundle.ts'
import { replaceFolder } from './front-ends.ts'

export const imageFolder = join(projectRoot, '.cache/image')

const architectures: Record<string, string> = { x64: 'x86_64', arm64: 'aarch64' }

/** Builds the image unless the one there is current; answers its fingerprint, 64 hex characters. */
export async function ensureGuestImage({ force = false } = {}): Promise<string> {
  const restic = await ensureRestic((text) => process.stderr.write(`${text}\n`))
  const sources = sourcesHash(restic)
  const known = readImageNote()
  if (!force && known?.sources === sources) return known.fingerprint
  mkdirSync(join(projectRoot, '.cache'), { recursive: true })
  const draft = mkdtempSync(join(projectRoot, '.cache/image-'))
  try {
    const fingerprint = await buildGuestImage(draft, restic)
    writeFileSync(join(draft, 'image.json'), JSON.stringify({ fingerprint, sources }))
    // Each part belongs to its fingerprint: the note is replaced together with them.
    replaceFolder(imageFolder, draft)
    return fingerprint
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Writes both parts into `folder`; the same sources give the same bytes. `restic`: its program; instances of an image
 * without it make no backups. `release`: whose agent it holds. Answers the fingerprint.
 */
export async function buildGuestImage(
  folder: string,
  restic: string | undefined,
  release?: AgentIdentity,
): Promise<string> {
  for (const [program, pack] of [
    [busyboxPath, 'busybox-static'],
    ['/usr/bin/mksquashfs', 'squashfs-tools'],
  ] as const) {
    if (!existsSync(program)) throw new Error(`The image needs ${program}, of the Debian package ${pack}.`)
  }
  const architecture = architectures[arch()]
  if (architecture === undefined) throw new Error(`There is no image for the processor ${arch()}.`)
  // Modes are part of the image: they must not depend on who builds it.
  process.umask(0o022)
  const work = join(folder, 'work')
  const root = join(work, 'rootfs')
  mkdirSync(root, { recursive: true })
  await bundleAgent(join(work, 'agent'), release)
  writeGuestFiles(root, { node: process.execPath, agent: join(work, 'agent'), restic })
  writeMetadata(join(work, 'meta'), architecture)
  const time = String(imageTime)
  const metadata = join(folder, 'metadata.tar.gz')
  const rootfs = join(folder, 'rootfs.squashfs')
  const tarOptions = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${time}`, '--format=gnu']
  await run('tar', ['-C', join(work, 'meta'), ...tarOptions, '-czf', metadata, 'metadata.yaml', 'templates'])
  const times = ['-all-time', time, '-mkfs-time', time]
  const quietly = ['-quiet', '-no-progress', '-noappend', '-all-root']
  await run('mksquashfs', [root, rootfs, '-comp', 'zstd', '-Xcompression-level', '3', ...quietly, ...times])
  rmSync(work, { recursive: true })
  const hash = createHash('sha256')
  for (const path of [metadata, rootfs]) hash.update(readFileSync(path))
  return hash.digest('hex')
}

async function run(command: string, args: string[]): Promise<void> {
  const { code, output } = await runAndRead(command, args)
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${output.trim()}`)
}

function readImageNote(): { fingerprint: string; sources: string } | undefined {
  const path = join(imageFolder, 'image.json')
  // Our own file, replaced as a whole.
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { fingerprint: string; sources: string })
    : undefined
}

/**
 * Over everything the image is made of, but for Debian's files: the newest of their packages is not worth a new image.
 */
function sourcesHash(restic: string | undefined): string {
  const patterns = [
    'apps/agent/{src,web/src}/**/*',
    'apps/agent/package.json',
    'packages/*/src/**/*',
    'package-lock.json',
  ]
  const paths = globSync(patterns, { cwd: projectRoot, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$|\.gen\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const hash = createHash('sha256').update(process.version)
  for (const path of paths.sort())
    hash.update(relative(projectRoot, path)).update('\0').update(readFileSync(path)).update('\0')
  hash
    .update('\0')
    .update(restic === undefined ? 'no restic' : readFileSync(restic))
    .update('\0')
  for (const source of guestSources()) hash.update(source).update('\0')
  return hash.digest('hex')
}

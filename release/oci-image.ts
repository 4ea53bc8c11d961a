/**
 * The image of a release for container engines, as an OCI layout in one file: a base of few Debian packages without a
 * shell or a package manager, and the release above it. The same tree and packages give the same digest.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Identity, nodeOptions } from './layout.ts'

/**
 * `restic` makes the backups of the deployment and of machines that enrol; certificates are for restic: Node has its
 * own.
 */
const packages = ['libc6', 'libstdc++6', 'libgcc-s1', 'base-files', 'netbase', 'ca-certificates', 'tzdata', 'restic']
const suite = 'bookworm'
/** Nobody else's on a host; nothing in the image has its rights. */
const user = { name: 'atoll', id: 65_532 }
const place = 'opt/atoll'
/** Any fixed moment. */
const epoch = 1_700_000_000
const created = new Date(epoch * 1000).toISOString()
const fixed = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner']
const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip'

export interface OciImage {
  file: string
  /** Of the manifest, as engines name the image: `sha256:…`. */
  digest: string
}

/** Writes `atoll-VERSION.oci.tar` into `folder`; undefined where there is no mmdebstrap, or no right to use it. */
export function makeOciImage(folder: string, tree: string, { version, commit }: Identity): OciImage | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/mmdebstrap')) return undefined
  const scratch = join(folder, `oci-${version}`)
  rmSync(scratch, { recursive: true, force: true })
  const blobs = join(scratch, 'layout/blobs/sha256')
  mkdirSync(blobs, { recursive: true })
  const put = (bytes: Uint8Array, mediaType: string) => {
    const digest = createHash('sha256').update(bytes).digest('hex')
    writeFileSync(join(blobs, digest), bytes)
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length }
  }
  const layers = [baseLayer(scratch), programLayer(scratch, tree)].map((tar) => ({
    diff: `sha256:${createHash('sha256').update(tar).digest('hex')}`,
    // 255: of no system, as gzip -n writes.
    blob: put(gzipSync(tar, { level: 9 }), layerType),
  }))
  const config = put(json(configOf(layers, { version, commit })), 'application/vnd.oci.image.config.v1+json')
  const manifestType = 'application/vnd.oci.image.manifest.v1+json'
  const manifest = { schemaVersion: 2, mediaType: manifestType, config, layers: layers.map(({ blob }) => blob) }
  const described = put(json(manifest), manifestType)
  const annotations = { 'org.opencontainers.image.ref.name': version, 'io.containerd.image.name': `atoll:${version}` }
  writeFileSync(join(scratch, 'layout/oci-layout'), json({ imageLayoutVersion: '1.0.0' }))
  writeFileSync(
    join(scratch, 'layout/index.json'),
    json({ schemaVersion: 2, manifests: [{ ...described, annotations }] }),
  )
  const file = join(folder, `atoll-${version}.oci.tar`)
  execFileSync('tar', [...fixed, '--mode=u=rwX,go=rX', '-cf', file, ...readdirSync(join(scratch, 'layout')).sort()], {
    cwd: join(scratch, 'layout'),
  })
  rmSync(scratch, { recursive: true })
  return { file, digest: described.digest }
}

const json = (value: object) => Buffer.from(JSON.stringify(value))

function configOf(layers: readonly { diff: string }[], { version, commit }: Omit<Identity, 'at'>): object {
  const node = `/${place}/node/bin/node`
  return {
    created,
    architecture: 'amd64',
    os: 'linux',
    config: {
      User: `${user.id}:${user.id}`,
      Env: ['PATH=/usr/bin', 'HOME=/var/lib/atoll', 'ATOLL_DATA_DIR=/var/lib/atoll', 'ATOLL_HOST=0.0.0.0'],
      Entrypoint: [node, ...nodeOptions, `/${place}/server/atoll.mjs`],
      WorkingDir: '/var/lib/atoll',
      Volumes: { '/var/lib/atoll': {} },
      ExposedPorts: Object.fromEntries([4800, 4801, 4802, 4803].map((port) => [`${port}/tcp`, {}])),
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': 'Atoll',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.revision': commit,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diff }) => diff) },
    history: layers.map(() => ({ created, created_by: 'release/oci-image.ts' })),
  }
}

/** Debian's files as they are unpacked: no script of theirs has run, and nothing in it runs any. */
function baseLayer(scratch: string): Buffer {
  const root = join(scratch, 'base')
  execFileSync('mmdebstrap', ['--variant=extract', `--include=${packages.join(',')}`, suite, root], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (const path of [
    'usr/share/doc',
    'usr/share/man',
    'usr/share/bash-completion',
    'usr/share/zsh',
    'var/log',
    'var/cache',
    'var/lib/apt',
    'var/lib/dpkg',
    'dev',
  ])
    rmSync(join(root, path), { recursive: true, force: true })
  for (const path of ['dev', 'var/lib/atoll', 'tmp', 'etc/ssl/certs']) mkdirSync(join(root, path), { recursive: true })
  const authorities = join(root, 'usr/share/ca-certificates/mozilla')
  const bundle = readdirSync(authorities)
    .sort()
    .map((name) => readFileSync(join(authorities, name), 'utf8'))
  writeFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), bundle.join('\n'))
  const { name, id } = user
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/root:/nonexistent\n${name}:x:${id}:${id}::/var/lib/atoll:/nonexistent\n`,
  )
  writeFileSync(join(root, 'etc/group'), `root:x:0:\n${name}:x:${id}:\n`)
  // All but what the service writes is root's, and nothing is another user's while it runs.
  execFileSync('find', [root, '-perm', '/6000', '-exec', 'chmod', 'a-s', '{}', '+'])
  execFileSync('chmod', ['1777', join(root, 'tmp')])
  const base = execFileSync('tar', [...fixed, '--exclude=./var/lib/atoll', '-cf', '-', '.'], bigOutput(root))
  const data = [`--owner=${id}`, `--group=${id}`, '--mode=0750', '--no-recursion']
  const own = execFileSync(
    'tar',
    [...fixed.slice(0, 2), ...data, '--numeric-owner', '-cf', '-', './var/lib/atoll'],
    bigOutput(root),
  )
  return joined(base, own)
}

function programLayer(scratch: string, tree: string): Buffer {
  const root = join(scratch, 'program')
  mkdirSync(join(root, place), { recursive: true })
  cpSync(tree, join(root, place), { recursive: true })
  return execFileSync('tar', [...fixed, '--mode=u=rwX,go=rX', '-cf', '-', '.'], bigOutput(root))
}

const bigOutput = (cwd: string) => ({ cwd, maxBuffer: 2 ** 30 })

/** One archive of two: the first without the blocks of nothing at its end. */
function joined(first: Buffer, second: Buffer): Buffer {
  let end = first.length
  while (end >= 512 && first.subarray(end - 512, end).every((byte) => byte === 0)) end -= 512
  return Buffer.concat([first.subarray(0, end), second])
}

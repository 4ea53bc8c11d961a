/** The files of a release in one folder: archive, list of parts, changes, sums and their signature. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { projectRoot } from '../scripts/project.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { makeDebianPackage } from './debian-package.ts'
import { type Identity, layOut, readIdentity } from './layout.ts'
import { makeOciImage, type OciImage } from './oci-image.ts'
import { publicKeyOf, readSigningKey, signSums, sumsOf } from './sums.ts'

export interface Release {
  /** Absolute; of the laid out files, as the archive has them. */
  tree: string
  /** Absolute. */
  archive: string
  /** Absolute. */
  debianPackage: string
  /** Undefined: it cannot be made here. */
  ociImage: OciImage | undefined
  isSigned: boolean
  hasImage: boolean
}

/** 52.2 MB in 13 s of a processor, without the image; at 15 it is 51.8 MB in 46 s. */
const compressionLevel = 12

/** Makes the release in `folder`, which is emptied first. The same sources and key give the same bytes. */
export async function makeRelease(
  folder: string,
  identity: Identity,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Release> {
  const { version } = identity
  const changes = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8')
  if (!changes.includes(`\n## ${version}\n`))
    throw new Error(`CHANGELOG.md says nothing of ${version}: add "## ${version}"`)
  const key = readSigningKey(env)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const tree = join(folder, `atoll-${version}`)
  await layOut(tree, identity, key)
  // The installed version verifies its successor.
  if (key) writeFileSync(join(tree, 'release-key.pem'), publicKeyOf(key))
  const archive = join(folder, `atoll-${version}-linux-x64.tar.zst`)
  packTree(tree, archive)
  const debianPackage = makeDebianPackage(folder, tree, version)
  const ociImage = makeOciImage(folder, tree, identity)
  if (ociImage) cpSync(join(projectRoot, 'release/image/compose.yaml'), join(folder, 'compose.yaml'))
  const now = readIdentity()
  if (now.commit !== identity.commit || now.version !== version)
    throw new Error(`The sources changed while the release was made: from ${identity.commit} to ${now.commit}`)
  cpSync(join(projectRoot, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'))
  const bill = billOfMaterials(join(projectRoot, 'package-lock.json'), { version, node: process.versions.node })
  writeFileSync(join(folder, `atoll-${version}.cdx.json`), `${JSON.stringify(bill, null, 1)}\n`)
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const sums = await sumsOf(
    folder,
    files.map(({ name }) => name),
  )
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
  if (key) {
    writeFileSync(join(folder, 'SHA256SUMS.sig'), signSums(sums, key))
    writeFileSync(join(folder, 'release-key.pem'), publicKeyOf(key))
  }
  return {
    tree,
    archive,
    debianPackage,
    ociImage,
    isSigned: key !== undefined,
    hasImage: existsSync(join(tree, 'image')),
  }
}

/**
 * The bytes depend only on names, contents and which files are executable. Compressed in one call: the blocks of a
 * stream depend on the sizes in which its input arrives.
 */
function packTree(tree: string, archive: string): void {
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  const packed = `${tree}.tar`
  execFileSync('tar', [...fixed, '-cf', packed, basename(tree)], { cwd: dirname(tree) })
  const params = { [constants.ZSTD_c_compressionLevel]: compressionLevel, [constants.ZSTD_c_checksumFlag]: 1 }
  writeFileSync(archive, zstdCompressSync(readFileSync(packed), { params }))
  rmSync(packed)
}

/**
 * The files behind `enroll.sh`: the agent's archive as the build made it, and this server's own Node and restic (where
 * it has one), compressed once and kept in the data folder. All are named after their content, so a host that read the
 * script before an update and fetches after it is refused instead of getting something else.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { agentArchivePath } from '@atoll/contract/agents'
import { randomToken } from '../../../platform/crypto.ts'
import type { EnrollOffer } from './enroll-script.ts'

/** Enough: a third more takes five times as long. */
const gzipLevel = 4

export interface EnrollFiles {
  /** The current offer; undefined while the agent is not built. */
  offer(): Promise<EnrollOffer | undefined>
  /** The path of an offered file; undefined for any other name. */
  find(name: string): Promise<string | undefined>
}

export function createEnrollFiles({
  archive,
  node,
  restic,
  dataDir,
}: {
  archive: string
  node: string
  restic?: string | undefined
  dataDir: string
}): EnrollFiles {
  /** SHA-256 of a file by path, read again when it changed. */
  const hashes = new Map<string, { mark: string; sha256: Promise<string> }>()
  const compressing = new Map<string, Promise<string>>()

  async function hash(path: string): Promise<string | undefined> {
    const found = await stat(path).catch(() => undefined) // not there
    if (!found) return undefined
    const mark = `${found.ino} ${found.size} ${found.mtimeMs}`
    const known = hashes.get(path)
    if (known?.mark === mark) return await known.sha256
    const sha256 = hashFile(path)
    hashes.set(path, { mark, sha256 })
    sha256.catch(() => hashes.delete(path)) // the caller gets the error; the next one reads again
    return await sha256
  }

  async function offer(): Promise<EnrollOffer | undefined> {
    const [agentSha256, nodeSha256, resticSha256] = await Promise.all([
      hash(archive),
      hash(node),
      restic === undefined ? undefined : hash(restic),
    ])
    if (agentSha256 === undefined || nodeSha256 === undefined) return undefined
    const nodePlatform = `${platform()}-${arch()}`
    return {
      agentFile: basename(agentArchivePath({ sha256: agentSha256 })),
      agentSha256,
      nodeFile: `node-${nodePlatform}-${nodeSha256.slice(0, 12)}.gz`,
      nodeSha256,
      nodePlatform,
      ...(resticSha256 !== undefined && {
        resticFile: `restic-${nodePlatform}-${resticSha256.slice(0, 12)}.gz`,
        resticSha256,
      }),
    }
  }

  async function compressOnce(path: string, name: string): Promise<string> {
    const known = compressing.get(name)
    if (known) return await known
    const made = compress(path, join(dataDir, 'enroll'), name)
    compressing.set(name, made)
    made.catch(() => compressing.delete(name)) // the caller gets the error; the next one tries again
    return await made
  }

  return {
    offer,
    async find(name) {
      const offered = await offer()
      if (name === offered?.agentFile) return archive
      if (name === offered?.nodeFile) return await compressOnce(node, name)
      if (restic !== undefined && name === offered?.resticFile) return await compressOnce(restic, name)
      return undefined
    },
  }
}

/** The compressed copy of `path` in `folder`, made unless it is there; older ones of the same program go. */
async function compress(path: string, folder: string, name: string): Promise<string> {
  const target = join(folder, name)
  await mkdir(folder, { recursive: true })
  if (await stat(target).catch(() => undefined)) return target
  const program = name.slice(0, name.indexOf('-') + 1)
  const older = (await readdir(folder)).filter((one) => one.startsWith(program))
  for (const old of older) await rm(join(folder, old), { force: true })
  const draft = `${target}.${randomToken(6)}`
  await pipeline(createReadStream(path), createGzip({ level: gzipLevel }), createWriteStream(draft))
  await rename(draft, target)
  return target
}

async function hashFile(path: string): Promise<string> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(path), sum)
  return sum.digest('hex')
}

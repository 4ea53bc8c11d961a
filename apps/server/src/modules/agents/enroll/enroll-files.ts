/**
 * The files behind `enroll.sh`: the agent's archive as the build made it, and this server's own Node, compressed once
 * and kept in the data folder. Both are named after their content, so a host that read the script before an update
 * and fetches after it is told so instead of getting something else.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { randomToken } from '../../../platform/crypto.ts'
import type { EnrollOffer } from './enroll-script.ts'

/** Enough: a third more takes five times as long. */
const gzipLevel = 4

export interface EnrollFiles {
  /** What is offered now; undefined while the agent is not built. */
  offer(): Promise<EnrollOffer | undefined>
  /** The path of an offered file; undefined for any other name. */
  find(name: string): Promise<string | undefined>
}

export function createEnrollFiles({
  archive,
  node,
  dataDir,
}: {
  archive: string
  node: string
  dataDir: string
}): EnrollFiles {
  /** SHA-256 of a file by path, read again when it changed. */
  const hashes = new Map<string, { mark: string; sha256: Promise<string> }>()
  let compressing: Promise<string> | undefined

  async function hash(path: string): Promise<string | undefined> {
    const found = await stat(path).catch(() => undefined) // not there
    if (!found) return undefined
    const mark = `${found.ino} ${found.size} ${found.mtimeMs}`
    const known = hashes.get(path)
    if (known?.mark === mark) return await known.sha256
    const sha256 = hashFile(path)
    hashes.set(path, { mark, sha256 })
    sha256.catch(() => hashes.delete(path)) // told to whoever waits for it; the next one reads again
    return await sha256
  }

  async function offer(): Promise<EnrollOffer | undefined> {
    const [agentSha256, nodeSha256] = await Promise.all([hash(archive), hash(node)])
    if (agentSha256 === undefined || nodeSha256 === undefined) return undefined
    const nodePlatform = `${platform()}-${arch()}`
    return {
      agentFile: `agent-${agentSha256.slice(0, 12)}.tar.gz`,
      agentSha256,
      nodeFile: `node-${nodePlatform}-${nodeSha256.slice(0, 12)}.gz`,
      nodeSha256,
      nodePlatform,
    }
  }

  return {
    offer,
    async find(name) {
      const offered = await offer()
      if (name === offered?.agentFile) return archive
      if (name !== offered?.nodeFile) return undefined
      compressing ??= compress(node, join(dataDir, 'enroll'), name)
      compressing.catch(() => {
        compressing = undefined // told to whoever asked; the next one tries again
      })
      return await compressing
    },
  }
}

/** The compressed copy of `path` in `folder`, made unless it is there; older ones go. */
async function compress(path: string, folder: string, name: string): Promise<string> {
  const target = join(folder, name)
  await mkdir(folder, { recursive: true })
  if (await stat(target).catch(() => undefined)) return target
  for (const old of await readdir(folder)) await rm(join(folder, old), { force: true })
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

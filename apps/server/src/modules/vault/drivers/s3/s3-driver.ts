/**
 * Repositories as keys of a bucket, in restic's own layout: plain restic opens `s3:URL/BUCKET/vr_…`.
 *   vr_…/config, keys/ID, locks/ID, snapshots/ID, index/ID, data/AB/ABCD…
 *   vr_…/atoll-plan.json   whose it is
 *   uploads/vu_…   what is on its way
 * A file comes as one PUT whose signed hash is its name, so the service checks it, too; it is copied to its own key
 * while the row of its upload keeps that from being removed. Were it put there at once, nobody would know how far it
 * is.
 */
import { createHash } from 'node:crypto'
import { type Claim, readClaim } from '../../../../platform/careful/index.ts'
import { createS3Client, S3Error, type S3Options, type S3Upload } from '../../../../platform/drivers/s3/s3-client.ts'
import { tryEach } from '../../try-each.ts'
import { type Incoming, longestPlanFile, planFileName, type VaultDriver } from '../../vault-driver.ts'
import type { FileKey } from '../../vault-tables.ts'

const repositoryId = /^vr_[a-z2-7]{20}$/
const claimKey = 'atoll-claim.json'
/** Removed with old uploads. */
const probeKey = 'uploads/probe'
const fileName = /^[0-9a-f]{64}$/
/** An upload that is younger may be known in a moment, ms. */
const youngMs = 600_000
/** Of what is listed, so much is read together. */
const pageKeys = 1000

/** The bucket is there, and nobody else writes to it. */
export function createS3Driver(options: S3Options): VaultDriver {
  const s3 = createS3Client(options)
  const planFileOf = (id: string) => `${id}/${planFileName}`
  async function readText(key: string): Promise<string> {
    const parts: Uint8Array[] = []
    for await (const part of s3.read(key)) parts.push(part)
    return Buffer.concat(parts).toString('utf8')
  }
  async function writeText(key: string, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const upload = await s3.put(key, { bytes: bytes.length, sha256 })
    await upload.write(bytes)
    await upload.end()
  }
  /**
   * For `catch` of what reads one object: `value` where the service fails at that one alone, as another can still be
   * written and read.
   */
  const ifBroken =
    <T>(value: T) =>
    async (error: unknown): Promise<T> => {
      if (!(error instanceof S3Error && error.status === 500)) throw error
      await writeText(probeKey, 'probe')
      await readText(probeKey)
      return value
    }
  async function* readObject(key: string, range?: { start: number; end: number }): AsyncIterable<Uint8Array> {
    try {
      yield* s3.read(key, range)
    } catch (error) {
      await ifBroken(undefined)(error)
    }
  }
  const findClaim = async (): Promise<Claim | undefined> => {
    if (!(await s3.head(claimKey))) return undefined
    const claim = readClaim(await readText(claimKey))
    if (!claim) throw new Error(`The object ${claimKey} is damaged`)
    return claim
  }
  return {
    claims: {
      read: findClaim,
      async write(claim) {
        const before = await findClaim()
        if (before?.deployment === claim.deployment && before.number >= claim.number) return
        await writeText(claimKey, `${JSON.stringify(claim)}\n`)
      },
    },
    // A key needs no folder.
    prepare: async () => undefined,
    async receive(uploadId, { key, bytes }) {
      const at = `uploads/${uploadId}`
      const upload = await s3.put(at, { bytes, sha256: key.type === 'config' ? undefined : key.name })
      return incoming(upload, {
        keep: () => s3.copy(at, keyOf(key)),
        remove: () => s3.remove(at),
      })
    },
    async open(key) {
      const found = await s3.head(keyOf(key)).catch(ifBroken(undefined))
      return (
        found && {
          bytes: found.bytes,
          storedAt: found.at,
          read: (range) => readObject(keyOf(key), range),
          // Nothing is held but by who reads.
          close: async () => undefined,
        }
      )
    },
    remove: (key) => s3.remove(keyOf(key)),
    space: async () => null,
    async removeUploads(isKnown, onFailed) {
      let removed = 0
      for await (const names of oldUploads()) {
        const known = await isKnown(names)
        const unknown = names.filter((name) => !known.has(name))
        removed += (await tryEach(unknown, (name) => s3.remove(`uploads/${name}`), onFailed)).length
      }
      return removed
    },
    async readPlanFile(id) {
      const found = await s3.head(planFileOf(id))
      return found && found.bytes <= longestPlanFile ? await readText(planFileOf(id)) : undefined
    },
    async writePlanFile(id, text) {
      if (text === null) await s3.remove(planFileOf(id))
      else await writeText(planFileOf(id), text)
    },
    // A key needs no folder.
    dropRepository: async () => undefined,
    async *listRepositories() {
      for await (const name of s3.listFolders('')) if (repositoryId.test(name)) yield name
    },
    async *listNames(id, type) {
      if (type === 'config') {
        if (await s3.head(`${id}/config`)) yield 'config'
        return
      }
      for await (const { key } of s3.list(`${id}/${type}/`)) {
        const name = key.slice(key.lastIndexOf('/') + 1)
        if (fileName.test(name) && key === keyOf({ repositoryId: id, type, name })) yield name
      }
    },
  }

  async function* oldUploads(): AsyncIterable<string[]> {
    let names: string[] = []
    for await (const { key, at } of s3.list('uploads/')) {
      if (Date.now() - at.getTime() > youngMs) names.push(key.slice('uploads/'.length))
      if (names.length < pageKeys) continue
      yield names
      names = []
    }
    yield names
  }
}

function keyOf({ repositoryId: id, type, name }: FileKey): string {
  if (type === 'config') return `${id}/config`
  return type === 'data' ? `${id}/data/${name.slice(0, 2)}/${name}` : `${id}/${type}/${name}`
}

function incoming(upload: S3Upload, at: { keep(): Promise<void>; remove(): Promise<void> }): Incoming {
  let isWhole = false
  return {
    async write(chunks) {
      for (const chunk of chunks) await upload.write(chunk)
    },
    async sync() {
      await upload.end()
      isWhole = true
    },
    keep: at.keep,
    async discard() {
      if (!isWhole) return upload.abort()
      // Whether the file is kept does not hang on this: what is left of it the sweep removes.
      await at.remove().catch(() => undefined)
    },
  }
}

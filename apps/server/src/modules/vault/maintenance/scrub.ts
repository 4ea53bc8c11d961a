/**
 * Reads files again and hashes them: names are hashes, so no password is needed. A file that differs, is too short or
 * is gone is `bad` until it reads well or is stored again; a `config` or a key is restored from its row. The work is
 * divided by rows that are taken off the list for a while: a process that dies leaves them to the next.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import { isContentKept } from '../records/file-keeping.ts'
import { removeFile, removeLostLock } from '../records/file-removal.ts'
import { type DueFile, keepContent, lockContent, noteScrub, takeDueFiles } from '../records/scrub-store.ts'
import { ifTrouble } from '../store-trouble.ts'
import type { VaultCounts } from '../vault-counts.ts'
import type { VaultDriver } from '../vault-driver.ts'

/** A file that is no longer what came. */
export type DamagedFile = Pick<DueFile, 'repositoryId' | 'type' | 'name' | 'owner' | 'clusterId'>

export interface ScrubDeps {
  db: Db
  clock: Clock
  log: Log
  driver: Pick<VaultDriver, 'open' | 'receive' | 'remove' | 'listNames'>
  counts: Pick<VaultCounts, 'scrubbed'>
  /** Told once of each, in the transaction that marks it. */
  onDamaged(trx: Trx, file: DamagedFile): Promise<void>
}

/** Two days before the 30 that are promised: room for a vault that was away. ms */
const everyMs = 28 * 24 * 3600_000
/** A file that was taken off the list and not read is due again after this time, ms. */
const againMs = 3600_000
const batchFiles = 20
/** Bytes a second: people's backups go first. */
const rate = 20_000_000

/**
 * Reads up to a batch of the files that are due; says how many, 0: nothing is due. `signal` ends it between two files.
 */
export async function scrubBatch(
  deps: ScrubDeps,
  { signal, bytesPerSecond = rate }: { signal?: AbortSignal; bytesPerSecond?: number } = {},
): Promise<number> {
  const { db, clock } = deps
  const begun = clock.now()
  const files = await takeDueFiles(db, {
    now: begun,
    nextAt: new Date(begun.getTime() + againMs),
    limit: batchFiles,
  })
  let read = 0
  for (const file of files) {
    if (signal?.aborted) break
    await scrubOne(deps, file, bytesPerSecond)
    read += 1
  }
  return read
}

async function scrubOne(deps: ScrubDeps, file: DueFile, bytesPerSecond: number): Promise<void> {
  const { db, clock, log } = deps
  const found = await readStored(deps, file, bytesPerSecond).catch(ifTrouble(log, file, 'unknown' as const))
  // It is due again in an hour.
  if (found === 'unknown') return
  const { sha256, content } = found ?? {}
  const isSound = sha256 === file.sha256
  const now = clock.now()
  // It was under way in the copy that this database was restored from, say. It holds nothing that anybody misses.
  if (!isSound && file.type === 'locks')
    return await (found?.isWhole ? removeFile : removeLostLock)(deps.driver, db, file, now)
  const nextAt = new Date(now.getTime() + everyMs)
  const { repositoryId, type, name, owner, clusterId } = file
  const isNew = await db.transaction().execute(async (trx) => {
    if (isSound && content) await keepContent(trx, file, content)
    const isWhole = isSound || (await putBack(deps, trx, file))
    const isNewlyBad = await noteScrub(trx, file, { isSound: isWhole, now, nextAt })
    if (isNewlyBad) await deps.onDamaged(trx, { repositoryId, type, name, owner, clusterId })
    return isNewlyBad
  })
  if (isNew) log.error({ repositoryId, type, name }, 'a stored file is damaged')
}

/**
 * Puts a file back from what its row holds, which stays locked; false: it holds nothing, or the store does not take it.
 * No other connection waits for the store: these files have 1 kB at most.
 */
async function putBack({ driver, log }: ScrubDeps, trx: Trx, file: DueFile): Promise<boolean> {
  const { repositoryId, type, name } = file
  const content = isContentKept(type, file.bytes) ? await lockContent(trx, file) : null
  if (!content || createHash('sha256').update(content).digest('hex') !== file.sha256) return false
  try {
    const incoming = await driver.receive(newId('vu'), { key: { repositoryId, type, name }, bytes: content.length })
    try {
      await incoming.write([content])
      await incoming.sync()
      await incoming.keep()
    } finally {
      await incoming.discard()
    }
    log.warn({ repositoryId, type, name }, 'a stored file was damaged, and was put back from its row')
    return true
  } catch (error) {
    log.error({ err: error, repositoryId, type, name }, 'a damaged file could not be put back from its row')
    return false
  }
}

/**
 * SHA-256 in hex, and the bytes where `isContentKept`; undefined: the file is not there, or cannot be opened.
 * `isWhole`: the store gave as many bytes as it says it has.
 */
async function readStored(
  { driver, counts }: Pick<ScrubDeps, 'driver' | 'counts'>,
  file: DueFile,
  bytesPerSecond: number,
): Promise<{ sha256: string; content: Buffer | undefined; isWhole: boolean } | undefined> {
  const stored = await driver.open(file)
  if (!stored) return undefined
  try {
    const hash = createHash('sha256')
    const kept: Buffer[] = []
    let [pending, read] = [0, 0]
    for await (const chunk of stored.read()) {
      hash.update(chunk)
      if (isContentKept(file.type, stored.bytes)) kept.push(Buffer.from(chunk))
      pending += chunk.length
      read += chunk.length
      counts.scrubbed(chunk.length)
      // A pace, not a wait for something: a tenth of a second's worth, then as much time.
      if (pending >= bytesPerSecond / 10) {
        await delay((pending / bytesPerSecond) * 1000)
        pending = 0
      }
    }
    return {
      sha256: hash.digest('hex'),
      isWhole: read === stored.bytes,
      content: isContentKept(file.type, stored.bytes) ? Buffer.concat(kept) : undefined,
    }
  } finally {
    await stored.close()
  }
}

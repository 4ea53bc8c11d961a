/**
 * Reads files again and hashes them: names are hashes, so no password is needed. A file that differs, is too short or
 * is gone is `bad` until it reads well or is stored anew. Who reads what is decided by rows that are taken off the list
 * for a while: a process that dies leaves them to the next.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { VaultDriver } from '../drivers/vault-driver.ts'
import { type DueFile, noteScrub, takeDueFiles } from '../records/scrub-store.ts'
import type { VaultCounts } from '../vault-counts.ts'

/** A file that is no longer what came. */
export type DamagedFile = Pick<DueFile, 'repositoryId' | 'type' | 'name' | 'owner' | 'clusterId'>

export interface ScrubDeps {
  db: Db
  clock: Clock
  log: Log
  driver: Pick<VaultDriver, 'open'>
  counts: Pick<VaultCounts, 'scrubbed'>
  /** Told once of each, in the transaction that marks it. */
  onDamaged(trx: Trx, file: DamagedFile): Promise<void>
}

/** Two days before the 30 that are promised: room for a vault that was away. ms */
const everyMs = 28 * 24 * 3600_000
/** A file that was taken to be read and was not comes again after so long, ms. */
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

async function scrubOne({ db, clock, log, ...deps }: ScrubDeps, file: DueFile, bytesPerSecond: number): Promise<void> {
  const isSound = (await hashOf(deps, file, bytesPerSecond)) === file.sha256
  const now = clock.now()
  const nextAt = new Date(now.getTime() + everyMs)
  const { repositoryId, type, name, owner, clusterId } = file
  const isNew = await db.transaction().execute(async (trx) => {
    const isNewlyBad = await noteScrub(trx, file, { isSound, now, nextAt })
    if (isNewlyBad) await deps.onDamaged(trx, { repositoryId, type, name, owner, clusterId })
    return isNewlyBad
  })
  if (isNew) log.error({ repositoryId, type, name }, 'a stored file is damaged')
}

/** SHA-256 in hex; undefined: the file is not there. */
async function hashOf(
  { driver, counts }: Pick<ScrubDeps, 'driver' | 'counts'>,
  file: DueFile,
  bytesPerSecond: number,
): Promise<string | undefined> {
  const stored = await driver.open(file)
  if (!stored) return undefined
  try {
    const hash = createHash('sha256')
    let pending = 0
    for await (const chunk of stored.read()) {
      hash.update(chunk)
      pending += chunk.length
      counts.scrubbed(chunk.length)
      // A pace, not a wait for something: a tenth of a second's worth, then as much time.
      if (pending >= bytesPerSecond / 10) {
        await delay((pending / bytesPerSecond) * 1000)
        pending = 0
      }
    }
    return hash.digest('hex')
  } finally {
    await stored.close()
  }
}

/**
 * Takes a file in: bytes stream from the request through the hash into a place of their own, one chunk at a time, and
 * become the file only when all of them came and are the ones that the name says.
 *   room      reserved before the first byte; given back by whatever ends it but success
 *   row       written with the rename in one transaction, so a kill leaves no row without its file
 *   repeated  the same file twice at once is one file: the row decides, and the second one's room is given back
 */
import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { Incoming, VaultDriver } from '../drivers/vault-driver.ts'
import { keepFile } from '../records/file-keeping.ts'
import type { FileKey } from '../records/file-store.ts'
import { type Granted, holdsGrant } from '../records/grant-store.ts'
import { addUsage, endUpload, giveBack, reserveRoom } from '../records/usage-store.ts'
import type { DiskGuard } from './disk-guard.ts'
import { pacedBody } from './paced-body.ts'

export interface ReceiveDeps {
  db: Db
  clock: Clock
  driver: VaultDriver
  disk: DiskGuard
  /** Name of this process's lease. */
  holder: string
  /** Bytes that the account may hold live; null: no end. */
  readQuota(owner: string): Promise<number | null>
}

/** A prune writes before it deletes: it may pass the quota by so much, bytes. */
const pruneExtraBytes = 2 ** 30

export type Received = 'kept' | 'wrongHash' | 'exists' | 'overQuota' | 'diskFull' | 'grantEnded' | 'notReserved'

/** `bytes`: what the request announces, which is what comes. Throws when it is cut. */
export async function receiveFile(
  deps: ReceiveDeps,
  req: IncomingMessage,
  { key, bytes, granted, onReading }: { key: FileKey; bytes: number; granted: Granted; onReading(): void },
): Promise<Received> {
  const { file, owner, right } = granted
  if (file && !file.trashed && !file.bad) {
    if (key.type === 'config') return 'exists'
    onReading()
    return (await hashOf(req)) === key.name ? 'kept' : 'wrongHash'
  }
  await using room = await deps.disk.take(bytes)
  if (!room.fits) return 'diskFull'
  const quota = await deps.readQuota(owner)
  const quotaBytes = quota === null ? null : quota + (right === 'prune' ? pruneExtraBytes : 0)
  const uploadId = await reserveRoom(deps.db, { ...key, owner, bytes, holder: deps.holder, quotaBytes })
  if (uploadId === undefined) return 'overQuota'
  let received: Received = 'notReserved'
  try {
    const incoming = await deps.driver.receive(uploadId, { key, bytes })
    try {
      onReading()
      const hash = createHash('sha256')
      for await (const chunk of pacedBody(req)) await takeChunk(incoming, hash, chunk)
      const sha256 = hash.digest('hex')
      if (key.type !== 'config' && sha256 !== key.name) return 'wrongHash'
      await incoming.sync()
      received = await keep(deps, { key, bytes, granted, uploadId, incoming, sha256 })
      return received
    } finally {
      await incoming.discard()
    }
  } finally {
    if (received !== 'kept') await giveBack(deps.db, uploadId)
  }
}

async function takeChunk(incoming: Incoming, hash: Hash, chunk: Buffer): Promise<void> {
  hash.update(chunk)
  await incoming.write(chunk)
}

async function hashOf(req: IncomingMessage): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of pacedBody(req)) hash.update(chunk)
  return hash.digest('hex')
}

interface Whole {
  key: FileKey
  bytes: number
  granted: Granted
  uploadId: string
  incoming: Incoming
  sha256: string
}

/** The transaction in which bytes become a file. */
async function keep({ db, clock }: ReceiveDeps, whole: Whole): Promise<Received> {
  const { key, bytes, granted, uploadId, incoming, sha256 } = whole
  return await db.transaction().execute(async (trx: Trx): Promise<Received> => {
    const at = clock.now()
    if (!(await holdsGrant(trx, granted.grantId, at))) return 'grantEnded'
    // Gone when this process was silent for too long: its room is somebody else's now.
    if (!(await endUpload(trx, uploadId))) return 'notReserved'
    const change = await keepFile(trx, { ...key, bytes, sha256 }, at)
    if (change === 'exists') {
      await addUsage(trx, granted.owner, { reservedBytes: -bytes })
      return key.type === 'config' ? 'exists' : 'kept'
    }
    await incoming.keep()
    await addUsage(trx, granted.owner, { ...change, reservedBytes: -bytes })
    return 'kept'
  })
}

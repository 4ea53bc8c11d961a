/**
 * Receives a file: bytes stream from the request through the hash into a temporary place, one group at a time, and
 * become the file only when all of them have arrived and match the hash in the name.
 *   room      reserved before the first byte; given back by every end except success
 *   row       written after the file is in its place, so a kill leaves no row without its file; between the two the
 *             upload's own row keeps it from being removed. `config` alone is put in its place under the lock of its
 *             row: the first one stays. A file that is in its place and gets no row, because its grant has ended since,
 *             is trash
 *   repeated  the same file twice at once is one file: the row decides, and the second one's room is given back
 */
import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { DiskGuard } from '../guards/disk-guard.ts'
import { roomRule, takesPlace } from '../guards/file-rules.ts'
import { isContentKept, keepFile } from '../records/file-keeping.ts'
import { trashEarlier } from '../records/file-store.ts'
import { type Granted, holdsGrant, noteRefused } from '../records/grant-store.ts'
import { reserveRoom } from '../records/room-store.ts'
import { endUnfinished, giveBack } from '../records/unfinished.ts'
import { addUsage, endUpload, readyToKeep } from '../records/usage-store.ts'
import type { Incoming, VaultDriver } from '../vault-driver.ts'
import type { FileKey } from '../vault-tables.ts'
import { pacedBody } from './paced-body.ts'

export interface ReceiveDeps {
  db: Db
  clock: Clock
  driver: VaultDriver
  disk: DiskGuard
  /** Name of this process's lease. */
  holder: string
  /** Ids of what it receives now: what else it reserved is given back by the sweep. */
  uploads: Set<string>
  /** Bytes that the account may hold live; null: no end. */
  readQuota(owner: string): Promise<number | null>
}

export type Received =
  | 'kept'
  | 'wrongHash'
  | 'exists'
  | 'overQuota'
  | 'diskFull'
  | 'tooMany'
  | 'grantEnded'
  | 'notReserved'

/** `bytes`: what the request announces, which is what comes. Throws when it is cut. */
export async function receiveFile(
  deps: ReceiveDeps,
  req: IncomingMessage,
  { key, bytes, granted, onReading }: { key: FileKey; bytes: number; granted: Granted; onReading(): void },
): Promise<Received> {
  const { file, owner, grantId } = granted
  if (file && !file.trashed && !file.bad) {
    if (key.type === 'config') return 'exists'
    onReading()
    return (await hashOf(req)) === key.name ? 'kept' : 'wrongHash'
  }
  const rule = roomRule(key.type, granted)
  await using room = await deps.disk.take(bytes, rule.needs)
  if (!room.fits) return await refuseRoom(deps.db, grantId, 'diskFull')
  const quotaBytes = await deps.readQuota(owner)
  const upload = { ...key, owner, grantId, bytes, holder: deps.holder }
  const reserved = await reserveRoom(
    deps.db,
    upload,
    { ...rule, quotaBytes, isReserve: room.isReserve },
    deps.clock.now(),
  )
  if ('refused' in reserved) return await refuseRoom(deps.db, grantId, reserved.refused)
  const { uploadId } = reserved
  let received: Received = 'notReserved'
  let mayBePut = false
  const onPut = () => {
    mayBePut = true
  }
  deps.uploads.add(uploadId)
  try {
    const incoming = await deps.driver.receive(uploadId, { key, bytes })
    try {
      onReading()
      const hash = createHash('sha256')
      const kept: Buffer[] = []
      for await (const chunks of pacedBody(req)) {
        if (isContentKept(key.type, bytes)) kept.push(Buffer.concat(chunks))
        await takeChunks(incoming, hash, chunks)
      }
      const sha256 = hash.digest('hex')
      if (key.type !== 'config' && sha256 !== key.name) return 'wrongHash'
      await incoming.sync()
      const content = isContentKept(key.type, bytes) ? Buffer.concat(kept) : null
      received = await keep(deps, { key, bytes, granted, uploadId, incoming, sha256, content, onPut })
      return received
    } finally {
      await incoming.discard()
    }
  } finally {
    deps.uploads.delete(uploadId)
    if (mayBePut && received !== 'kept')
      await endUnfinished(deps.db, deps.driver, { id: uploadId, key }, deps.clock.now())
    else if (received !== 'kept') await giveBack(deps.db, uploadId)
  }
}

/** Records whose room is short; the owner is told when the task ends. */
async function refuseRoom<Why extends 'overQuota' | 'diskFull' | 'tooMany'>(
  db: Db,
  grantId: string,
  why: Why,
): Promise<Why> {
  if (why !== 'tooMany') await noteRefused(db, grantId, why === 'diskFull' ? 'disk' : 'quota')
  return why
}

/** The disk is at work while they are hashed. */
async function takeChunks(incoming: Incoming, hash: Hash, chunks: readonly Buffer[]): Promise<void> {
  const writing = incoming.write(chunks)
  for (const chunk of chunks) hash.update(chunk)
  await writing
}

async function hashOf(req: IncomingMessage): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunks of pacedBody(req)) for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

interface Whole {
  key: FileKey
  bytes: number
  granted: Granted
  uploadId: string
  incoming: Incoming
  sha256: string
  content: Buffer | null
  /** Called before its bytes are put in their place without a row. */
  onPut(): void
}

/** Bytes become a file. No connection to the database is held while they are put in their place, which may be far. */
async function keep({ db, clock }: ReceiveDeps, whole: Whole): Promise<Received> {
  const { key, bytes, granted, uploadId, incoming, sha256, content, onPut } = whole
  if (key.type !== 'config') {
    const found = await readyToKeep(db, { ...key, uploadId, grantId: granted.grantId }, clock.now())
    if (!found.isGranted) return 'grantEnded'
    if (!found.isReserved) return 'notReserved'
    onPut()
    await incoming.keep()
  }
  return await db.transaction().execute(async (trx: Trx): Promise<Received> => {
    const at = clock.now()
    if (!(await holdsGrant(trx, granted.grantId, at))) return 'grantEnded'
    // Gone when this process was silent for too long: its room is somebody else's now.
    if (!(await endUpload(trx, uploadId))) return 'notReserved'
    const change = await keepFile(trx, { ...key, bytes, sha256, content, grantId: granted.grantId }, at)
    if (change === 'exists') {
      await addUsage(trx, granted.owner, { reservedBytes: -bytes })
      return key.type === 'config' ? 'exists' : 'kept'
    }
    if (key.type === 'config') await incoming.keep()
    await addUsage(trx, granted.owner, { ...change, reservedBytes: -bytes })
    if (takesPlace(key.type)) await trashEarlier(trx, { ...key, grantId: granted.grantId }, at)
    return 'kept'
  })
}

/**
 * Proofs are only ever added. Rows of `written` and `read` that did not pass take back all that lie before them: what
 * is stored is not what was written. A drill that did not pass says that restoring failed, and takes nothing else back.
 */
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { type ReadPart, readBackAt } from '../rules/read-back.ts'
import type { BackupRow, ProofRow } from '../tables.ts'
import { listLastCompleted } from './backup-store.ts'

export type NewProof = Pick<ProofRow, 'level' | 'passed' | 'at'> &
  Partial<Pick<ProofRow, 'snapshot_id' | 'part' | 'parts' | 'bytes' | 'files' | 'equal' | 'elsewhere' | 'reason'>>

export async function insertProof(
  trx: Trx,
  { id, owner }: Pick<BackupRow, 'id' | 'owner'>,
  proof: NewProof,
): Promise<void> {
  const none = { snapshot_id: null, part: null, parts: null, bytes: null, files: null, equal: null, reason: null }
  await trx
    .insertInto('proofs')
    .values({ id: newId('pf'), backup_id: id, owner, ...none, ...proof })
    .execute()
}

/** The newest row that says that what is stored is damaged. */
export async function findDamage(db: Db, backupId: string): Promise<ProofRow | undefined> {
  return await db
    .selectFrom('proofs')
    .selectAll()
    .where('backup_id', '=', backupId)
    .where('level', 'in', ['written', 'read'])
    .where('passed', '=', false)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Of each part that was read since the last damage, when that was. */
export async function listReads(db: Db, backupId: string): Promise<ReadPart[]> {
  const damage = await findDamage(db, backupId)
  return await db
    .selectFrom('proofs')
    .select(['part', 'parts', (from) => from.fn.max('at').as('at')])
    .where('backup_id', '=', backupId)
    .where('level', '=', 'read')
    .where('passed', '=', true)
    .$if(damage !== undefined, (query) => query.where('at', '>', damage?.at ?? new Date(0)))
    .groupBy(['part', 'parts'])
    .$narrowType<{ part: number; parts: number }>()
    .execute()
}

export interface ProofState {
  /** Everything that is stored has been read since then; null: not all of it has. */
  readAt: Date | null
  /** The newest drill, passed or not. */
  drill: ProofRow | undefined
  /** The newest drill after that which could not be carried out. */
  drillMissed: { at: Date; reason: string } | undefined
  /** The newest damage, whether or not it is over. */
  damage: ProofRow | undefined
}

export async function findProof(db: Db, backupId: string): Promise<ProofState> {
  const drill = await db
    .selectFrom('proofs')
    .selectAll()
    .where('backup_id', '=', backupId)
    .where('level', '=', 'drilled')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const missed = await db
    .selectFrom('backup_chores')
    .select(['created_at as at', 'reason'])
    .where('backup_id', '=', backupId)
    .where('kind', '=', 'drill')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const isMissed = missed && missed.reason !== null && (!drill || missed.at > drill.at)
  return {
    readAt: readBackAt(await listReads(db, backupId)),
    drill,
    damage: await findDamage(db, backupId),
    drillMissed: isMissed ? { at: missed.at, reason: missed.reason ?? '' } : undefined,
  }
}

/** The newest drill that passed, of each of these snapshots, since the last damage. */
export async function listDrilled(
  db: Db,
  backupId: string,
  snapshots: readonly { id: string }[],
): Promise<Map<string, Date>> {
  if (snapshots.length === 0) return new Map()
  const ids = snapshots.map(({ id }) => id)
  const damage = await findDamage(db, backupId)
  const rows = await db
    .selectFrom('proofs')
    .select(['snapshot_id', (from) => from.fn.max('at').as('at')])
    .where('backup_id', '=', backupId)
    .where('snapshot_id', 'in', ids)
    .where('level', '=', 'drilled')
    .where('passed', '=', true)
    .$if(damage !== undefined, (query) => query.where('at', '>', damage?.at ?? new Date(0)))
    .groupBy('snapshot_id')
    .execute()
  return new Map(rows.flatMap(({ snapshot_id, at }) => (snapshot_id === null ? [] : [[snapshot_id, at] as const])))
}

/** The last completed run and the proof of each backup that an account has and is not deleting. */
export async function listProved(
  db: Db,
  owner: string,
): Promise<{ backupId: string; clusterId: string; completedAt: Date | null; provedAt: Date | null }[]> {
  const completed = await listLastCompleted(db, owner)
  const proved = []
  for (const backup of completed) proved.push({ ...backup, provedAt: (await findProof(db, backup.backupId)).readAt })
  return proved
}

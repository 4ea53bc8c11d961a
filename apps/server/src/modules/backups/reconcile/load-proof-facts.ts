/** Reads what is known of the proofs of a backup, and when the next are due. */
import type { Trx } from '../../../platform/db/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { findProof } from '../records/proof-store.ts'
import { nextReadAt, partsFor } from '../rules/read-back.ts'
import type { BackupRow } from '../tables.ts'
import type { DrillSnapshot } from './changes.ts'
import type { BackupFacts } from './facts.ts'
import { findLastChore } from './load-upkeep.ts'

const dayMs = 24 * 3600_000
const monthMs = 30 * dayMs

type ProofFacts = Pick<
  BackupFacts,
  | 'unhashed'
  | 'damage'
  | 'isSound'
  | 'reads'
  | 'parts'
  | 'lastCheck'
  | 'nextCheckAt'
  | 'nextDrillAt'
  | 'drillable'
  | 'lastDrill'
>

const nothingKnown: ProofFacts = {
  unhashed: 0,
  damage: undefined,
  isSound: false,
  reads: [],
  parts: 1,
  lastCheck: undefined,
  nextCheckAt: undefined,
  nextDrillAt: undefined,
  drillable: undefined,
  lastDrill: undefined,
}

export async function loadProofFacts(
  deps: BackupDeps,
  trx: Trx,
  { backup, at, isQuiet }: { backup: BackupRow; at: Date; isQuiet: boolean },
): Promise<ProofFacts> {
  if (backup.state === 'deleting') return nothingKnown
  const { readAt, reads, drill, damage } = await findProof(trx, backup.id)
  const first = await trx
    .selectFrom('snapshots')
    .select((from) => [
      from.fn.min('received_at').as('at'),
      from.fn.min('received_at').filterWhere('tree_root', 'is not', null).as('drillableAt'),
    ])
    .where('backup_id', '=', backup.id)
    .executeTakeFirst()
  const parts = partsFor((await deps.usageOf(trx, { repositoryId: backup.repo_id })).liveBytes)
  const nextDrillAt = await findNextDrillAt(trx, backup, first?.drillableAt ?? null)
  const isDrillDue = isQuiet && nextDrillAt !== undefined && nextDrillAt <= at
  return {
    unhashed: await countUnhashed(deps, trx, backup),
    damage,
    isSound: backup.damaged_at !== null && readAt !== null && (await countBad(deps, trx, backup, at)) === 0,
    reads,
    parts,
    lastCheck: isQuiet ? await findLastChore(trx, backup, 'check') : undefined,
    nextCheckAt: first?.at ? nextReadAt(reads, parts, first.at) : undefined,
    nextDrillAt,
    drillable: isDrillDue ? await findDrillable(trx, backup) : undefined,
    lastDrill: drill,
  }
}

async function countUnhashed(deps: BackupDeps, trx: Trx, backup: BackupRow): Promise<number> {
  if (backup.prove_state !== 'hashing' || !backup.prove_since) return 0
  return (await deps.scrubLeft(trx, backup.repo_id, backup.prove_since)).left
}

async function countBad(deps: BackupDeps, trx: Trx, { repo_id }: BackupRow, at: Date): Promise<number> {
  return (await deps.scrubLeft(trx, repo_id, at)).bad
}

/** The newest with a root; undefined: nothing can be drilled. */
async function findDrillable(trx: Trx, { id }: BackupRow): Promise<DrillSnapshot | undefined> {
  return await trx
    .selectFrom('snapshots')
    .selectAll()
    .where('backup_id', '=', id)
    .where('state', '=', 'Completed')
    .where('forgotten_at', 'is', null)
    .where('tree_root', 'is not', null)
    .orderBy('received_at', 'desc')
    .limit(1)
    .$narrowType<{ tree_root: string; restic_id: string; received_at: Date }>()
    .executeTakeFirst()
}

/**
 * A month after the last one, a day after one that did not pass or could not be carried out, or after the first run.
 */
async function findNextDrillAt(trx: Trx, { id }: BackupRow, firstAt: Date | null): Promise<Date | undefined> {
  const last = await trx
    .selectFrom('backup_chores')
    .select(['created_at', 'reason'])
    .where('backup_id', '=', id)
    .where('kind', '=', 'drill')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last) return new Date(last.created_at.getTime() + (last.reason === null ? monthMs : dayMs))
  return firstAt ? new Date(firstAt.getTime() + dayMs) : undefined
}

import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { readBackAt } from '../rules/read-back.ts'

/** The backup of a cluster whose proof is oldest. */
export interface OldProof {
  clusterId: string
  /** Its name. */
  subject: string
  /** Days since the oldest part of it was read back, or since there was something to read. */
  value: number
}

interface ProofRow {
  cluster_id: string
  name: string
  /** Since when there is something to prove: its first completed run, or the damage that took all proof back. */
  since: Date
  /** Of the parts that were read since; null: none was. All in as many parts where `kinds` is 1. */
  kinds: number
  part: number[] | null
  parts: number[] | null
  at: Date[] | null
  /** Those of `kinds` 1 only. */
  oldest: Date | null
}

const dayMs = 24 * 3600_000

/**
 * Of each cluster with active backups the one whose proof is oldest, if that is a day or more: one statement. A backup
 * that was never completed has nothing to prove; a paused one is not read, as its owner wants it. `owner`: of these
 * clusters alone.
 */
export async function listOldProofs(db: Db, now: Date, owner?: string): Promise<OldProof[]> {
  const wanted = owner === undefined ? sql`true` : sql`owner = ${owner}`
  // Nearly all are read in as many parts throughout: only the others are sent as what was read when.
  const { rows } = await sql<ProofRow>`
    with damages as (
      select backup_id, max(at) as at from proofs where level in ('written', 'read') and not passed and ${wanted}
      group by backup_id
    ), reads as (
      select p.backup_id, p.part, p.parts, max(p.at) as at from proofs as p left join damages as d using (backup_id)
      where p.level = 'read' and p.passed and (d.at is null or p.at > d.at) and ${wanted}
      group by p.backup_id, p.part, p.parts
    ), proved as (
      select backup_id, count(distinct parts)::int as kinds, array_agg(part) as part, array_agg(parts) as parts,
        array_agg(at) as at, case when count(*) = max(parts) then min(at) end as oldest
      from reads group by backup_id
    ), completed as (
      select backup_id, min(received_at) as at from snapshots where state = 'Completed' and ${wanted} group by backup_id
    )
    select b.cluster_id, b.name, greatest(c.at, d.at) as since, coalesce(r.kinds, 0) as kinds,
      case when r.kinds > 1 then r.part end as part, case when r.kinds > 1 then r.parts end as parts,
      case when r.kinds > 1 then r.at end as at, case when r.kinds = 1 then r.oldest end as oldest
    from backups as b join completed as c on c.backup_id = b.id
    left join damages as d on d.backup_id = b.id left join proved as r on r.backup_id = b.id
    where b.state = 'active' and ${wanted} order by b.id`.execute(db)
  const worst = new Map<string, OldProof>()
  for (const row of rows) {
    const { cluster_id: clusterId, name: subject, since } = row
    const value = (now.getTime() - (oldestOf(row) ?? since).getTime()) / dayMs
    if (value >= 1 && value > (worst.get(clusterId)?.value ?? 0)) worst.set(clusterId, { clusterId, subject, value })
  }
  return [...worst.values()]
}

function oldestOf({ kinds, part, parts, at, oldest }: ProofRow): Date | null {
  if (kinds <= 1 || !part || !parts || !at) return oldest
  return readBackAt(
    part.flatMap((one, index) => {
      const [of, readAt] = [parts[index], at[index]]
      return of === undefined || readAt === undefined ? [] : [{ part: one, parts: of, at: readAt }]
    }),
  )
}

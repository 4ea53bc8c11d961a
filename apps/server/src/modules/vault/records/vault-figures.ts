import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'

/** The bytes that one repository holds. */
export interface RepositoryLevel {
  repositoryId: string
  clusterId: string
  owner: string
  /** Of live files. */
  bytes: number
}

/** Live bytes of every repository, summed over its files. */
export async function listRepositoryLevels(db: Db): Promise<RepositoryLevel[]> {
  const { rows } = await sql<RepositoryLevel>`
    select r.id as "repositoryId", r.cluster_id as "clusterId", r.owner,
      coalesce(sum(f.bytes) filter (where f.trashed_at is null), 0)::bigint as bytes
    from vault_repos r left join vault_files f on f.repo_id = r.id
    group by r.id`.execute(db)
  return rows
}

/** The operator's figures of all vaults together. */
export interface VaultFigures {
  bytes: { live: number; reserved: number; trash: number }
  /** Files that are known to be damaged. */
  badFiles: number
  /** How long the file that is due longest has been waiting to be read again, s. */
  scrubLateSeconds: number
}

export async function readFigures(db: Db, now: Date): Promise<VaultFigures> {
  const { rows } = await sql<{ live: number; reserved: number; trash: number; bad: number; due: Date | null }>`
    select coalesce(sum(live_bytes), 0)::bigint as live, coalesce(sum(reserved_bytes), 0)::bigint as reserved,
      coalesce(sum(trash_bytes), 0)::bigint as trash,
      (select count(*)::int from vault_files where bad_at is not null and trashed_at is null) as bad,
      (select min(scrub_at) from vault_files where trashed_at is null) as due
    from vault_usage`.execute(db)
  const { live = 0, reserved = 0, trash = 0, bad = 0, due = null } = rows[0] ?? {}
  const lateMs = due ? Math.max(now.getTime() - due.getTime(), 0) : 0
  return { bytes: { live, reserved, trash }, badFiles: bad, scrubLateSeconds: lateMs / 1000 }
}

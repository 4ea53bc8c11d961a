/** Finds plans whose file in the vault is out of date, and creates plans from such files. */
import { sql } from 'kysely'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { findAccountOfDid } from '../../accounts/index.ts'
import type { PlanFiles, UnknownRepository } from '../../vault/index.ts'
import { fitBeside } from '../rules/fit-beside.ts'
import { nextRunOf } from '../rules/next-run.ts'
import type { BackupRow } from '../tables.ts'
import { listClusterBackups } from './backup-store.ts'
import { type PlanFile, readPlanFile, signPlanFile } from './plan-file.ts'

/** All that the file says of a plan; another text when any of it was changed, by whichever call or job. */
const plainMarkOf = sql<string>`md5(concat_ws(' ', repo_id, owner, cluster_id, former_clusters::text, name, paths::text,
  schedule::text, time_zone, keep::text, state))`

/** With another key the same text has another signature. The first key of a deployment is not in the mark. */
const markOf = ({ prefix }: Pick<Sealer, 'prefix'>) => sql<string>`${plainMarkOf} || substr(${prefix}, 4)`

/** Of a plan that stored nothing yet it is written with its first file. */
const isOutdated = (sealer: Pick<Sealer, 'prefix'>) => sql<boolean>`(has_repository or plan_file_mark is not null)
  and plan_file_mark is distinct from ${markOf(sealer)}`

/** Number of files that are out of date. */
export async function countOutdated(db: Db, sealer: Sealer): Promise<number> {
  const { count } = await db
    .selectFrom('backups')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isOutdated(sealer))
    .executeTakeFirstOrThrow()
  return count
}

/** For the vault, which writes the files. One of a plan that is deleted for good goes with it. */
export function planFiles(sealer: Sealer): PlanFiles {
  return {
    async find(db, repositoryId) {
      const row = await db
        .selectFrom('backups')
        .selectAll()
        .select(markOf(sealer).as('mark'))
        .where('repo_id', '=', repositoryId)
        .executeTakeFirst()
      if (!row) return undefined
      const text = row.state === 'deleted' ? null : signPlanFile(sealer, contentOf(row))
      return { text, mark: row.mark, isOfNow: row.plan_file_mark === row.mark }
    },
    async listOutdated(db, limit) {
      const rows = await db.selectFrom('backups').select('repo_id').where(isOutdated(sealer)).limit(limit).execute()
      return rows.map(({ repo_id }) => repo_id)
    },
    describe(text) {
      const file = readPlanFile(sealer, text)
      return file && describePlan(file)
    },
    async noteWritten(db, repositoryId, mark) {
      await db.updateTable('backups').set({ plan_file_mark: mark }).where('repo_id', '=', repositoryId).execute()
    },
  }
}

function describePlan({ owner, cluster, plan }: PlanFile): string {
  return `the plan "${plan.name}" (${plan.id}) of cluster ${cluster} of ${owner}`
}

function contentOf(row: BackupRow): PlanFile {
  return {
    v: 1,
    repository: row.repo_id,
    owner: row.owner,
    cluster: row.cluster_id,
    formerClusters: row.former_clusters,
    plan: {
      id: row.id,
      name: row.name,
      paths: row.paths,
      schedule: row.schedule,
      timeZone: row.time_zone,
      keep: row.keep,
      runs: row.state === 'active',
      createdAt: row.created_at.toISOString(),
    },
  }
}

/**
 * Makes the plan again that the file beside an unknown repository names, paused where its slot is another's by now or
 * it was being deleted. Gives whose the repository is, or why that cannot be.
 */
export async function makePlanOf(
  trx: Trx,
  sealer: Pick<Sealer, 'accepts'>,
  { repositoryId, text }: { repositoryId: string; text: string | undefined },
  at: Date,
): Promise<UnknownRepository> {
  if (text === undefined) return { why: 'no file beside it says whose it is' }
  const file = readPlanFile(sealer, text)
  if (file?.repository !== repositoryId) return { why: 'the file beside it is not signed with the secret key at hand' }
  const { cluster, plan } = file
  const whose = describePlan(file)
  // Those written before named the owner by the DID.
  const owner = file.owner.startsWith('did:') ? ((await findAccountOfDid(trx, file.owner)) ?? '') : file.owner
  const known = await trx
    .selectFrom('owned_clusters')
    .select('id')
    .where('id', '=', cluster)
    .where('owner', '=', owner)
    .executeTakeFirst()
  if (!known) return { why: `it is of ${whose}, which this database does not know` }
  const taken = await trx.selectFrom('backups').select('repo_id').where('id', '=', plan.id).executeTakeFirst()
  if (taken) return { why: `it is of ${whose}, which has another repository` }
  const others = await listClusterBackups(trx, cluster)
  const { name, isSlotFree } = fitBeside(others, plan)
  const state = plan.runs && isSlotFree ? 'active' : 'paused'
  // One for all backups of a cluster.
  const timeZone = others[0]?.time_zone ?? plan.timeZone
  const row = { id: plan.id, schedule: plan.schedule, time_zone: timeZone, slots_until: at }
  await trx
    .insertInto('backups')
    .values({
      id: plan.id,
      owner,
      cluster_id: cluster,
      name,
      repo_id: repositoryId,
      time_zone: timeZone,
      paths: JSON.stringify(plan.paths),
      schedule: JSON.stringify(plan.schedule),
      keep: JSON.stringify(plan.keep),
      state,
      slots_until: at,
      next_at: state === 'active' ? nextRunOf(row, at, at).at : null,
      // Its machine keeps the password; where it does not, its first run says so and waits for it.
      created_at: new Date(plan.createdAt),
      box: null,
      password: 'kept',
      former_clusters: file.formerClusters,
    })
    .execute()
  return { owner, clusterId: cluster, createdAt: new Date(plan.createdAt), plan: plan.name }
}

/**
 * Clusters on which drills of backups are carried out. The reconciler creates and removes them like any others. They
 * belong to a dedicated account, carry a purpose, and appear in no list, quota or bill. The caller that requests one
 * has it destroyed again; `backups` sweeps those that it no longer needs.
 */
import type { Reason } from '@atoll/contract/api'
import { sql } from 'kysely'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { advisoryLockClass } from '../../../platform/db/migrations/migrate.ts'
import { takePlace } from '../capacity/place-order.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { endedStatuses, insertInstance, sizeOfOffering } from '../instances/instance-store.ts'
import { enqueueReconcile } from '../instances/reconcile-store.ts'
import { readReason } from '../lifecycle/stored-reason.ts'
import { insertOperation } from '../operations/operation-store.ts'
import { chooseOffering, type DrillOrder } from './choose-offering.ts'
import { keepDrillOwner } from './drill-owner.ts'

/** At a time: each is a machine that nobody pays for. */
export const mostDrills = 4
/** Second half of the advisory lock that they are counted and ordered under; rules of alerts have 3. */
const drillsLock = 4

export interface DrillClusters {
  /** Orders one; `full`: there are as many as there may be. See `chooseOffering` for the other answers. */
  order(trx: Trx, request: DrillOrder): Promise<{ clusterId: string } | 'soldOut' | 'none' | 'full'>
  /** Its machine, and why it came to nothing if it did; undefined: it is gone, or was asked to go. */
  find(db: Db, clusterId: string): Promise<{ instanceId: string; failure: Reason | null } | undefined>
  /** Those that nobody asked to go yet. */
  list(db: Db): Promise<{ clusterId: string; createdAt: Date }[]>
  /** May be repeated; of any other cluster it does nothing. */
  destroy(trx: Trx, clusterId: string): Promise<void>
}

export function drillClusters(deps: Pick<ClusterDeps, 'clock' | 'compute' | 'deadlines'>): DrillClusters {
  return {
    async order(trx, request) {
      const { catalog } = deps.compute
      const place = chooseOffering(catalog, request)
      const version = catalog.versions.find(({ recommended }) => recommended) ?? catalog.versions[0]
      if (typeof place === 'string' || !version) return place === 'soldOut' ? 'soldOut' : 'none'
      // Until the transaction ends: of those that order at one moment, each counts what the others have ordered.
      await sql`select pg_advisory_xact_lock(${advisoryLockClass}, ${drillsLock})`.execute(trx)
      if ((await listLiving(trx)).length >= mostDrills) return 'full'
      const found = await takePlace(trx, catalog, { ...place, count: 1 })
      if (typeof found === 'string') return 'soldOut'
      const [member = null] = found
      const at = deps.clock.now()
      const clusterId = newId('cl')
      const owner = await keepDrillOwner(trx, at)
      const { offering, ...where } = place
      await trx
        .insertInto('clusters')
        .values({
          id: clusterId,
          owner,
          name: clusterId,
          cluster_type: 'Cloud',
          purpose: 'drill',
          cloud_name: where.cloudName,
          region_id: where.regionId,
          offering: offering.name,
          // Nothing answers there; the column wants one.
          version: version.version,
          host_label: `drill-${clusterId.replace(/[^a-z0-9]/g, '')}`,
          status: 'fetching',
          desired: 'running',
          created_at: at,
          changed_at: at,
          checked_at: at,
        })
        .execute()
      const masterPlace = { cluster_id: clusterId, owner, role: 'master', ordinal: 0 } as const
      const master = await insertInstance(trx, { ...masterPlace, ...sizeOfOffering(offering), member }, at)
      const operation = { kind: 'create', status: 'fetching', deadlineMs: deadlineMs(deps, 'create') } as const
      await insertOperation(trx, master, { ...operation, at, by: null })
      await enqueueReconcile(trx, clusterId)
      return { clusterId }
    },
    async find(db, clusterId) {
      const row = await living(db)
        .innerJoin('instances as master', 'master.cluster_id', 'clusters.id')
        .select(['master.id as instanceId', 'master.status', 'master.error'])
        .where('clusters.id', '=', clusterId)
        .where('master.role', '=', 'master')
        .where('master.replaced_at', 'is', null)
        .executeTakeFirst()
      if (!row) return undefined
      const { instanceId, status, error } = row
      return { instanceId, failure: status === 'errored' ? (readReason(error) ?? { key: 'unexpected' }) : null }
    },
    list: listLiving,
    async destroy(trx, clusterId) {
      const { numUpdatedRows } = await trx
        .updateTable('clusters')
        .set((row) => ({ desired: 'destroyed', generation: row('generation', '+', 1) }))
        .where('id', '=', clusterId)
        .where('purpose', '=', 'drill')
        .where('desired', '<>', 'destroyed')
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await enqueueReconcile(trx, clusterId)
    },
  }
}

async function listLiving(db: Db): Promise<{ clusterId: string; createdAt: Date }[]> {
  return await living(db)
    .select(['clusters.id as clusterId', 'clusters.created_at as createdAt'])
    .orderBy('clusters.created_at')
    .execute()
}

function living(db: Db) {
  return db
    .selectFrom('clusters')
    .where('clusters.purpose', '=', 'drill')
    .where('clusters.desired', '<>', 'destroyed')
    .where('clusters.status', 'not in', endedStatuses)
}

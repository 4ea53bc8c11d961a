/** Clusters as staff list and open them: of every owner. */

import { clusterStatuses } from '@atoll/contract/clusters'
import type { ClusterGroup, StaffCluster, StaffClusterDetail, StaffClusterFilter } from '@atoll/contract/staff'
import type { Locale, PageQuery } from '@atoll/contract/wire'
import { reasonText } from '@atoll/texts/reasons'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { findJob } from '../../../platform/jobs/index.ts'
import { listRunningOperations } from '../../../platform/operations/index.ts'
import { partOf, readLongPage } from '../../../platform/paging/index.ts'
import { accountsLike, didOfAccount, nameOf } from '../../accounts/index.ts'
import { agentVersionOf } from '../../agents/index.ts'
import { findDecline } from '../../billing/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { listAttempts } from '../instances/attempt-store.ts'
import { endedStatuses, listInstances } from '../instances/instance-store.ts'
import { reconcileJob } from '../instances/reconcile-store.ts'
import { isTransitioning, shownStatus } from '../lifecycle/cluster-state.ts'
import { describeReason, readReason } from '../lifecycle/stored-reason.ts'
import { listOperations } from './cluster-views.ts'
import { instanceName } from './instance-json.ts'
import { toOperation } from './operation-json.ts'
import { stuckClusters } from './stuck-clusters.ts'
import { selectWithMasters } from './with-masters.ts'

const groups: Record<Exclude<ClusterGroup, 'stuck'>, readonly (typeof clusterStatuses)[number][]> = {
  working: clusterStatuses.filter(isTransitioning),
  running: ['running', 'inactivated'],
  stopped: ['stopped'],
  offline: ['offline'],
  waiting: ['waiting_destroy', 'destroy_to_be_confirmed', 'unpaid', 'restore_error'],
}

const escaped = (text: string) => text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')
/** Anywhere in a name from so many characters. */
const anywhereFrom = 3

/** By name; those that are stuck by how long they are. */
export async function readStaffClusters(db: Db, filter: StaffClusterFilter, now: Date, page: PageQuery) {
  const all = narrowClusters(db, filter)
  const stuck = all.innerJoin(stuckClusters(now).as('stuck'), 'stuck.cluster_id', 'clusters.id')
  const isStuck = filter.group === 'stuck'
  const ordered = isStuck ? stuck.orderBy('stuck.since') : all.orderBy(sql`lower(clusters.name)`)
  return await readLongPage(
    db,
    {
      all: isStuck ? stuck : all,
      parts: [partOf(ordered.orderBy('clusters.id'))],
      read: (ids) => clusterRows(db, now).where('clusters.id', 'in', ids).execute(),
      idOf: ({ id }) => id,
    },
    page,
  )
}

/** The ids of the clusters in a list. */
function narrowClusters(db: Db, { search, group }: StaffClusterFilter) {
  let query = db
    .selectFrom('clusters')
    .select('clusters.id')
    .where('clusters.purpose', '=', 'user')
    .where('clusters.status', 'not in', endedStatuses)
  if (search !== undefined) {
    const beginning = `${escaped(search)}%`
    const name = search.length >= anywhereFrom ? `%${beginning}` : beginning
    const living = sql`select id from clusters where purpose = 'user' and status not in ('destroyed', 'canceled')`
    // Each way to find one is a query of its own, for which the database may use an index.
    query = query.where(
      'clusters.id',
      'in',
      sql<string>`(${living} and lower(name) like ${name} union all ${living} and id like ${beginning}
        union all ${living} and host_label like ${beginning}
        union all ${living} and owner in ${accountsLike({ name, did: beginning })})`,
    )
  }
  if (group && group !== 'stuck') query = query.where('clusters.status', 'in', groups[group])
  return query
}

function clusterRows(db: Db, now: Date) {
  return selectWithMasters(db)
    .leftJoin(stuckClusters(now).as('stuck'), 'stuck.cluster_id', 'clusters.id')
    .where('clusters.purpose', '=', 'user')
    .where('clusters.status', 'not in', endedStatuses)
    .select((from) => [
      ...(['clusters.id', 'clusters.name', 'clusters.owner', 'clusters.cluster_type', 'clusters.status'] as const),
      ...(['clusters.cloud_name', 'clusters.region_id', 'clusters.version', 'clusters.changed_at'] as const),
      ...(['master.error', 'master.last_failure', 'master.os_active', 'stuck.since as stuck_since'] as const),
      nameOf(from.ref('clusters.owner')).as('owner_name'),
      didOfAccount(from.ref('clusters.owner')).as('owner_did'),
      agentVersionOf(from.ref('master.id')).as('agent_version'),
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof clusterRows>['executeTakeFirstOrThrow']>>

export function toStaffCluster(row: Row, locale: Locale): StaffCluster {
  return {
    clusterId: row.id,
    name: row.name,
    person: { accountId: row.owner, userid: row.owner_did, terminusName: row.owner_name },
    clusterType: row.cluster_type,
    status: shownStatus(row.status, row.os_active),
    isStuck: row.stuck_since !== null,
    since: (row.stuck_since ?? row.changed_at).toISOString(),
    reason: describeReason(row.error ?? row.last_failure, locale),
    cloudName: row.cloud_name,
    regionId: row.region_id,
    version: row.version,
    agentVersion: row.agent_version,
  }
}

const mostOperations = 10
const mostAttempts = 20

/** Everything about one; undefined: there is no such cluster. */
export async function describeStaffCluster(
  { db, clock, agents }: Pick<ClusterDeps, 'db' | 'clock' | 'agents'>,
  clusterId: string,
  locale: Locale,
): Promise<StaffClusterDetail | undefined> {
  const row = await clusterRows(db, clock.now()).where('clusters.id', '=', clusterId).executeTakeFirst()
  if (!row) return undefined
  const instances = await listInstances(db, clusterId)
  const ids = instances.map(({ id }) => id)
  const [operations, running, attempts, known, job, gateway] = await Promise.all([
    listOperations(db, clusterId),
    listRunningOperations(db, clusterId),
    listAttempts(db, ids, mostAttempts),
    agents.listAgents(db, ids),
    findJob(db, `${reconcileJob}:${clusterId}`),
    findDecline(db, clusterId),
  ])
  const cluster = toStaffCluster(row, locale)
  const isOpen = running.length > 0 || cluster.isStuck
  return {
    ...cluster,
    operations: operations
      .slice(0, mostOperations)
      .map((each) => toOperation(each, subjectOf(each.subject_id), locale)),
    attempts: attempts.map(({ number, at, call, host: by, took_ms: took, reason }) => {
      const said = readReason(reason)
      return { number, at: at.toISOString(), call, by, took, answer: said ? reasonText(said, locale) : '' }
    }),
    instances: instances.map((instance) => {
      const agent = known.find(({ instanceId }) => instanceId === instance.id)
      return {
        instanceId: instance.id,
        name: instanceName(instance),
        status: instance.status,
        provider: describeReason(instance.error ?? instance.last_failure, locale),
        agent: agent
          ? {
              connected: agent.connected,
              lastSeenAt: agent.lastSeenAt?.toISOString() ?? null,
              install: agent.install.state,
              said: agent.install.state === 'failed' ? agent.install.reason : null,
            }
          : null,
      }
    }),
    gateway,
    holder: job.holder && { ...job.holder, since: job.holder.since.toISOString() },
    nextTryAt: job.dueAt?.toISOString() ?? null,
    mayRetry: isOpen,
    mayGiveUp: isOpen,
  }

  function subjectOf(id: string) {
    return instances.find((instance) => instance.id === id) ?? instances.find(({ role }) => role === 'master')
  }
}

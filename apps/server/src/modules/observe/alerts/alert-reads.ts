import { type AccountAlerts, type AlertRuleName, alertRuleNames, type ClusterAlerts } from '@atoll/contract/observe'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import '../observe-tables.ts'
import type { LatestSample, SampleStore } from '../samples/sample-store.ts'
import { readHistory } from './alert-history.ts'
import { isRule, type RuleChoice, readAccountRules, readRules } from './alert-rules.ts'
import { freshSince } from './alert-store.ts'

/** The present state of the rules for these instances of a cluster, and the cluster's history. */
export async function readAlerts(
  db: Db,
  clock: Clock,
  clusterId: string,
  instances: readonly { instanceId: string; name: string }[],
): Promise<ClusterAlerts> {
  const nameOf = new Map(instances.map(({ instanceId, name }) => [instanceId, name]))
  const [book, current] = await Promise.all([readRules(db, [clusterId]), readCurrent(db, nameOf)])
  const history = await readHistory(db, clock, { clusterIds: [clusterId], nameOf, firing: firingOf(current) })
  return {
    rules: rulesOf((rule) => book.of(clusterId, rule)),
    current,
    history: history.map(({ clusterId: _, ...past }) => past),
  }
}

/** An instance of the account, with its cluster. */
export interface OwnedInstance {
  instanceId: string
  /** `master`, `worker-1`, … */
  name: string
  clusterId: string
  clusterName: string
}

export interface AccountAlertsDeps {
  db: Db
  clock: Clock
  samples: Pick<SampleStore, 'latest'>
  /** The living instances of this very account's clusters. */
  listOwned(db: Db, userid: string): Promise<OwnedInstance[]>
  /** Those of the instances that are watched: one that was stopped on purpose is not. */
  listWatched(db: Db, instanceIds: readonly string[]): Promise<{ clusterId: string }[]>
  /** Of each cluster the backup whose proof is oldest, in whole days. */
  listOldProofs(userid: string): Promise<{ clusterId: string; backup: string; days: number }[]>
}

/** The same of all clusters of an account, and how full their instances are. */
export async function readAccountAlerts(deps: AccountAlertsDeps, userid: string): Promise<AccountAlerts> {
  const { db, clock, samples } = deps
  const instances = await deps.listOwned(db, userid)
  const ids = instances.map(({ instanceId }) => instanceId)
  const nameOf = new Map(instances.map(({ instanceId, name }) => [instanceId, name]))
  const clusterOf = new Map(instances.map(({ instanceId, clusterId }) => [instanceId, clusterId]))
  const clusters = new Map(instances.map(({ clusterId, clusterName }) => [clusterId, clusterName]))
  const [ofAccount, book, current, latest, watchedRows, proofs] = await Promise.all([
    readAccountRules(db, userid),
    readRules(db, [...clusters.keys()]),
    readCurrent(db, nameOf),
    samples.latest(ids),
    deps.listWatched(db, ids),
    deps.listOldProofs(userid),
  ])
  const watched = new Set(watchedRows.map(({ clusterId }) => clusterId))
  const fresh = freshSince(clock.now())
  const history = await readHistory(db, clock, {
    clusterIds: [...clusters.keys()],
    nameOf,
    firing: firingOf(current),
  })
  const proofOf = new Map(proofs.map(({ clusterId, ...proof }) => [clusterId, proof]))
  return {
    rules: rulesOf(ofAccount),
    clusters: [...clusters]
      .toSorted(([, a], [, b]) => a.localeCompare(b))
      .map(([clusterId, name]) => ({
        clusterId,
        name,
        isWatched: watched.has(clusterId),
        rules: rulesOf((rule) => book.of(clusterId, rule)),
        oldestProof: proofOf.get(clusterId) ?? null,
        current: current.filter(({ instanceId }) => clusterOf.get(instanceId) === clusterId),
        levels: instances.flatMap((one) => {
          const sample = latest.get(one.instanceId)
          if (one.clusterId !== clusterId || !sample || sample.at <= fresh) return []
          return [{ instanceId: one.instanceId, instance: one.name, ...levelsOf(sample) }]
        }),
      })),
    history: history.map((past) => ({ ...past, cluster: clusters.get(past.clusterId) ?? '' })),
  }
}

function rulesOf(choiceOf: (rule: AlertRuleName) => RuleChoice): ClusterAlerts['rules'] {
  return alertRuleNames.map((rule) => {
    const { threshold = null, clearBelow = null, ...choice } = choiceOf(rule)
    return { rule, threshold, clearBelow, ...choice }
  })
}

async function readCurrent(db: Db, nameOf: ReadonlyMap<string, string>): Promise<ClusterAlerts['current']> {
  const states = await db
    .selectFrom('alert_states')
    .innerJoin('sample_series', 'sample_series.series', 'alert_states.series')
    .select(['instance_id', 'rule', 'state', 'since', 'subject'])
    .where('instance_id', 'in', ['', ...nameOf.keys()])
    .where('state', '<>', 'ok')
    .orderBy('since', 'desc')
    .execute()
  return states.flatMap(({ instance_id: instanceId, rule, state, since, subject }) =>
    state === 'ok' || !isRule(rule)
      ? []
      : [{ rule, instanceId, instance: nameOf.get(instanceId) ?? '', subject, state, since: since.toISOString() }],
  )
}

/** As the history names them. */
function firingOf(current: ClusterAlerts['current']): Set<string> {
  return new Set(
    current.flatMap(({ rule, instanceId, state }) => (state === 'firing' ? [`${rule} ${instanceId}`] : [])),
  )
}

/** As rules compare them: one that is not reached is not rounded up to it. */
function levelsOf({ diskUsed, diskTotal, memoryUsed, memoryTotal }: LatestSample) {
  const percent = (used: number, total: number) => (total > 0 ? Math.floor((used / total) * 100) : null)
  return { disk: percent(diskUsed, diskTotal), memory: percent(memoryUsed, memoryTotal) }
}

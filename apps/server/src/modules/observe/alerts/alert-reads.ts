import type { ClusterAlerts } from '@atoll/contract/observe'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import '../observe-tables.ts'
import { readHistory } from './alert-history.ts'
import { isRule, readRules, ruleNames } from './alert-rules.ts'

/** What became of the rules at these instances of a cluster, and the cluster's history. */
export async function readAlerts(
  db: Db,
  clock: Clock,
  clusterId: string,
  instances: readonly { instanceId: string; name: string }[],
): Promise<ClusterAlerts> {
  const nameOf = new Map(instances.map(({ instanceId, name }) => [instanceId, name]))
  const [book, states] = await Promise.all([
    readRules(db, clusterId),
    db
      .selectFrom('alert_states')
      .innerJoin('sample_series', 'sample_series.series', 'alert_states.series')
      .select(['instance_id', 'rule', 'state', 'since', 'subject'])
      .where('instance_id', 'in', ['', ...nameOf.keys()])
      .where('state', '<>', 'ok')
      .orderBy('since', 'desc')
      .execute(),
  ])
  const firing = new Set(
    states.flatMap(({ rule, instance_id, state }) => (state === 'firing' ? [`${rule} ${instance_id}`] : [])),
  )
  return {
    rules: ruleNames.map((rule) => {
      const { threshold = null, clearBelow = null, ...choice } = book.of(clusterId, rule)
      return { rule, threshold, clearBelow, ...choice }
    }),
    current: states.flatMap(({ instance_id: instanceId, rule, state, since, subject }) =>
      state === 'ok' || !isRule(rule)
        ? []
        : [{ rule, instanceId, instance: nameOf.get(instanceId) ?? '', subject, state, since: since.toISOString() }],
    ),
    history: await readHistory(db, clock, { clusterId, nameOf, firing }),
  }
}

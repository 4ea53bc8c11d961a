import type { AlertRuleName, ClusterAlerts } from '@atoll/contract/observe'
import type { Db } from '../../../platform/db/index.ts'
import '../observe-tables.ts'
import { alertRules } from './alert-state.ts'

/** How many events of the history are shown. */
const shownEvents = 50

/** What became of the rules at these instances of a cluster, and the cluster's history. */
export async function readAlerts(
  db: Db,
  clusterId: string,
  instances: readonly { instanceId: string; name: string }[],
): Promise<ClusterAlerts> {
  const nameOf = new Map(instances.map(({ instanceId, name }) => [instanceId, name]))
  const [states, events] = await Promise.all([
    db
      .selectFrom('alert_states')
      .innerJoin('sample_series', 'sample_series.series', 'alert_states.series')
      .select(['instance_id', 'rule', 'state', 'since'])
      .where('instance_id', 'in', ['', ...nameOf.keys()])
      .where('state', '<>', 'ok')
      .orderBy('since', 'desc')
      .execute(),
    db
      .selectFrom('alert_events')
      .select(['id', 'rule', 'instance_id', 'kind', 'value', 'at'])
      .where('cluster_id', '=', clusterId)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(shownEvents)
      .execute(),
  ])
  return {
    rules: ruleNames.map((rule) => {
      const { threshold, clearBelow, forMinutes } = alertRules[rule]
      const hasMeasure = rule !== 'offline'
      return {
        ...{ rule, forMinutes, mail: true },
        threshold: hasMeasure ? threshold : null,
        clearBelow: hasMeasure ? clearBelow : null,
      }
    }),
    current: states.flatMap(({ instance_id: instanceId, rule, state, since }) =>
      state === 'ok' || !isRule(rule)
        ? []
        : [{ rule, instanceId, instance: nameOf.get(instanceId) ?? '', state, since: since.toISOString() }],
    ),
    history: events.flatMap(({ instance_id, rule, at, ...event }) =>
      isRule(rule) ? [{ ...event, rule, instance: nameOf.get(instance_id) ?? null, at: at.toISOString() }] : [],
    ),
  }
}

const ruleNames = Object.keys(alertRules) as AlertRuleName[] // the keys of a record by rule

/** One that a later version no longer has is not shown. */
function isRule(name: string): name is AlertRuleName {
  return name in alertRules
}

/** The rules of all clusters as rows: clusters that are watched the same way share one. */
import { type AccountAlerts, type AlertRuleName, alertRuleNames, type LevelRule } from '@atoll/contract/observe'

export type WatchedCluster = AccountAlerts['clusters'][number]
export type AlertRule = WatchedCluster['rules'][number]
export type CurrentAlert = WatchedCluster['current'][number] & { cluster: WatchedCluster }
export type RuleState = 'firing' | 'pending' | 'ok' | 'muted' | 'off'

export interface RuleGroup {
  rule: AlertRule
  /** At least one, in order of their names. */
  clusters: readonly WatchedCluster[]
  /** Whether it is all that there are. */
  isEvery: boolean
  state: RuleState
  /** Firing alerts, then conditions that become alerts if they last. */
  current: readonly CurrentAlert[]
}

/** In order of the rules; of one rule the row of most clusters comes first. */
export function groupRules(clusters: readonly WatchedCluster[]): RuleGroup[] {
  return alertRuleNames.flatMap((name) => {
    const groups = new Map<string, { rule: AlertRule; clusters: WatchedCluster[] }>()
    for (const cluster of clusters) {
      const rule = ruleOf(cluster, name)
      if (!rule) continue
      const { threshold, clearBelow, forMinutes, isOn, mail } = rule
      const key = JSON.stringify([threshold, clearBelow, forMinutes, isOn, mail])
      const group = groups.get(key)
      if (group) group.clusters.push(cluster)
      else groups.set(key, { rule, clusters: [cluster] })
    }
    return [...groups.values()]
      .toSorted((a, b) => b.clusters.length - a.clusters.length)
      .map((group) => {
        const current = currentOf(name, group.clusters)
        const isEvery = group.clusters.length === clusters.length
        return { ...group, isEvery, current, state: stateOf(group.rule, group.clusters, current) }
      })
  })
}

/** The rule of that name as it is at a cluster, or for all. */
export function ruleOf({ rules }: Pick<WatchedCluster, 'rules'>, name: AlertRuleName): AlertRule | undefined {
  return rules.find(({ rule }) => rule === name)
}

function currentOf(name: AlertRuleName, clusters: readonly WatchedCluster[]): CurrentAlert[] {
  const current = clusters.flatMap((cluster) =>
    cluster.current.filter(({ rule }) => rule === name).map((one) => ({ ...one, cluster })),
  )
  return ['firing', 'pending'].flatMap((state) => current.filter((one) => one.state === state))
}

function stateOf(
  { isOn }: AlertRule,
  clusters: readonly WatchedCluster[],
  current: readonly CurrentAlert[],
): RuleState {
  if (!isOn) return 'off'
  if (current[0]) return current[0].state
  return clusters.some(({ isWatched }) => isWatched) ? 'ok' : 'muted'
}

/** Of the instances that said so within the last minute the fullest; undefined: none did. */
export function highestLevel(
  clusters: readonly WatchedCluster[],
  what: LevelRule,
): { cluster: WatchedCluster; value: number } | undefined {
  const levels = clusters.flatMap((cluster) =>
    cluster.levels.flatMap(({ [what]: value }) => (value === null ? [] : [{ cluster, value }])),
  )
  return levels.toSorted((a, b) => b.value - a.value)[0]
}

/** The backup whose proof is oldest; undefined: none is a day old. */
export function oldestProof(clusters: readonly WatchedCluster[]): { backup: string; days: number } | undefined {
  return clusters.flatMap((cluster) => cluster.oldestProof ?? []).toSorted((a, b) => b.days - a.days)[0]
}

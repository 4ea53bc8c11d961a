import { type AccountAlerts, alertKindOf, isLevelRule } from '@atoll/contract/observe'
import { unknownAmount, unreadableRows } from '@atoll/contract/wire'
import { formatPercent } from '@atoll/ui/i18n'
import { calledInstance } from '../clusters/card/instance-name.ts'
import { useRuleWords } from '../clusters/monitoring/alerts/rule-words.ts'
import { serverNow } from '../config/runtime-config.ts'
import { formatTime } from '../kit/format/times.ts'
import { useLocale, useText } from '../locales/text.ts'
import { type AlertRule, type CurrentAlert, highestLevel, oldestProof, type RuleGroup } from './rule-groups.ts'

const minuteMs = 60_000
/** As many clusters are named; of more only their number. */
const namedClusters = 2

/** How a row of rules is said: what it watches, where, and how that is now. */
export function useGroupWords(history: AccountAlerts['history']) {
  const t = useText()
  const locale = useLocale()
  const { what } = useRuleWords()
  const now = serverNow()
  const percent = (value: number) => formatPercent(value / 100, locale)

  /** The rule in few words. */
  function title({ rule, threshold }: AlertRule): string {
    return isLevelRule(rule)
      ? t('alerts.shortLevel', { what: what(rule), threshold: percent(threshold ?? 0) })
      : t(`alertKinds.${rule}.short`, { count: threshold ?? 0 })
  }

  function names(clusters: RuleGroup['clusters']): string {
    const few = clusters.slice(0, namedClusters).map(({ name }) => name)
    const listed = few.join(t('alerts.comma'))
    const more = clusters.length - few.length
    return more > 0 ? t('alerts.whereMore', { names: listed, count: more }) : listed
  }

  function lasts({ rule, forMinutes: minutes, threshold }: AlertRule): string | undefined {
    const { unit } = alertKindOf(rule)
    if (unit === 'intervals') return t('alerts.forIntervals', { count: threshold ?? 0 })
    return unit === 'days' ? undefined : t('alerts.forMinutes', { minutes })
  }

  /** One that fires or will: where, since when, and how full it is. */
  function describeAlert({ clusters, rule: { rule, forMinutes } }: RuleGroup, one: CurrentAlert): string {
    const { cluster, instance, instanceId, subject, state, since } = one
    const level = cluster.levels.find((each) => each.instanceId === instanceId)
    const value = isLevelRule(rule) ? level?.[rule] : undefined
    const isOfCluster = alertKindOf(rule).of === 'cluster'
    const isAlone = cluster.levels.length < 2 && instance === 'master'
    const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / minuteMs))
    const time = formatTime(since, now, locale)
    return [
      clusters.length > 1 && cluster.name,
      !isAlone && !isOfCluster && calledInstance(instance, t),
      subject,
      state === 'firing' || isOfCluster
        ? t('alerts.nowSince', { time })
        : t('alerts.nowPending', { minutes: Math.min(minutes, forMinutes), of: forMinutes }),
      typeof value === 'number' && t('alerts.nowValue', { value: percent(value) }),
    ]
      .filter(Boolean)
      .join(t('alerts.comma'))
  }

  /** Where nothing fires or will. */
  function quiet({ state, clusters, rule: { rule } }: RuleGroup): string {
    if (state === 'off') return t('alerts.nowOff')
    if (state === 'muted')
      return clusters.length === 1 ? t('alerts.nowMuted', { names: names(clusters) }) : t('alerts.nowMutedAll')
    if (!isLevelRule(rule)) {
      const oldest = rule === 'proof' ? oldestProof(clusters) : undefined
      if (!oldest) return t(`alertKinds.${rule}.quiet`)
      return [t('alerts.nowOldestProof', { count: oldest.days }), oldest.backup].join(t('alerts.comma'))
    }
    if (clusters.some(({ levels }) => unreadableRows(levels) > 0)) return unknownAmount
    const highest = highestLevel(clusters, rule)
    if (!highest) return t('alerts.nowNothing')
    const value = percent(highest.value)
    if (clusters.length === 1) return value
    return [t('alerts.nowHighest', { value }), highest.cluster.name].join(t('alerts.comma'))
  }

  return {
    title,
    lasts,
    where: ({ clusters, isEvery }: RuleGroup) =>
      isEvery && clusters.length > 1 ? t('alerts.everyCluster') : names(clusters),
    /** A line each. */
    lines: (group: RuleGroup) =>
      group.state === 'off' || group.current.length === 0
        ? [quiet(group)]
        : group.current.map((one) => describeAlert(group, one)),
    mail({ rule: { isOn, mail }, current }: RuleGroup): string {
      if (!isOn || !mail) return t('alerts.mailOff')
      const isSent = current.some(({ rule, cluster, instance, state }) =>
        history.some(
          (past) =>
            state === 'firing' &&
            past.goesOn &&
            past.mailedAt !== null &&
            past.rule === rule &&
            past.clusterId === cluster.clusterId &&
            past.instance === instance,
        ),
      )
      return t(isSent ? 'alerts.mailSent' : 'alerts.mailOn')
    },
  }
}

import { type AlertRuleName, alertKindOf, type ClusterAlerts, isLevelRule } from '@atoll/contract/observe'
import { useLocale, useText } from '../../../locales/text.ts'

export type AlertRule = ClusterAlerts['rules'][number]

/** How rules and what they measure are said. */
export function useRuleWords() {
  const t = useText()
  const locale = useLocale()
  const percent = (value: number) => new Intl.NumberFormat(locale, { style: 'percent' }).format(value / 100)
  const what = (rule: AlertRuleName) => t(`alertKinds.${rule}.name`)
  return {
    what,
    /** When it fires. */
    title({ rule, threshold, clearBelow, forMinutes: minutes }: AlertRule): string {
      if (!isLevelRule(rule)) return t(`alertKinds.${rule}.rule`, { count: threshold ?? 0, minutes })
      const levels = { threshold: percent(threshold ?? 0), clear: percent(clearBelow ?? 0) }
      return t('alerts.rule', { what: what(rule), minutes, ...levels })
    },
    value(rule: AlertRuleName, value: number): string {
      const { unit } = alertKindOf(rule)
      if (unit === 'days') return t('alerts.valueDays', { count: Math.floor(value) })
      if (unit === 'intervals')
        return t('alerts.valueIntervals', { value: new Intl.NumberFormat(locale).format(value) })
      return percent(Math.floor(value))
    },
  }
}

import type { AlertRuleName, ClusterAlerts } from '@atoll/contract/observe'
import { type TextKey, textOf, useLocale, useText } from '../../../locales/text.ts'

export type AlertRule = ClusterAlerts['rules'][number]

const names: Record<AlertRuleName, TextKey> = {
  disk: 'alerts.disk',
  memory: 'alerts.memory',
  offline: 'alerts.offline',
  workload: 'alerts.workload',
  backup: 'alerts.backup',
  proof: 'alerts.proof',
}

/** How rules and what they measure are said. */
export function useRuleWords() {
  const t = useText()
  const locale = useLocale()
  const percent = (value: number) => new Intl.NumberFormat(locale, { style: 'percent' }).format(value / 100)
  return {
    what: (rule: AlertRuleName) => t(textOf(names, rule)),
    /** When it fires. */
    title({ rule, threshold, clearBelow, forMinutes: minutes }: AlertRule): string {
      if (rule === 'offline') return t('alerts.offlineRule', { minutes })
      if (rule === 'workload') return t('alerts.workloadRule', { minutes })
      if (rule === 'backup') return t('alerts.backupRule', { count: threshold ?? 0, minutes })
      if (rule === 'proof') return t('alerts.proofRule', { count: threshold ?? 0 })
      const levels = { threshold: percent(threshold ?? 0), clear: percent(clearBelow ?? 0) }
      return t('alerts.rule', { what: t(textOf(names, rule)), minutes, ...levels })
    },
    value(rule: AlertRuleName, value: number): string {
      if (rule === 'proof') return t('alerts.valueDays', { count: Math.floor(value) })
      if (rule === 'backup') return t('alerts.valueIntervals', { value: new Intl.NumberFormat(locale).format(value) })
      return percent(Math.floor(value))
    },
  }
}

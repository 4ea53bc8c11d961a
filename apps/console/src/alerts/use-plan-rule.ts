import { planUsage } from '@atoll/contract/billing'
import { formatPercent } from '@atoll/ui/i18n'
import { useCall } from '../data/use-call.ts'
import { useLocale, useText } from '../locales/text.ts'
import type { ShownRule } from './AlertRuleTable.tsx'

/** Of a quota: from here on its owner is notified. */
const nearShare = 0.8

/** The server's own rule for the whole account: the quota of the plan that is used most. */
export function usePlanRule(): ShownRule[] {
  const t = useText()
  const locale = useLocale()
  const { data } = useCall(planUsage, {})
  if (!data) return []
  const [most] = data
    .filter(({ quota }) => quota > 0)
    .map(({ productType, used, quota }) => ({ productType, share: used / quota }))
    .toSorted((a, b) => b.share - a.share)
  const line = most
    ? t('alerts.planNow', { what: t(`notice.${most.productType}`), value: formatPercent(most.share, locale) })
    : t('alerts.nowNothing')
  return [
    {
      key: 'plan',
      state: most && most.share >= nearShare ? 'firing' : 'ok',
      lasts: undefined,
      title: t('alerts.planRule'),
      where: t('alerts.whereAccount'),
      mail: t('alerts.mailOn'),
      lines: [line],
      onChange: undefined,
    },
  ]
}

import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { useAccountNow } from './use-customer.ts'

/** Until when an order that is not paid is kept; `until` on the account's clock. */
export function KeptUntil({ until }: { until: string }) {
  const t = useText()
  const locale = useLocale()
  const now = useAccountNow()
  return (
    <Deadline at={until} now={now}>
      {t('money.keptUntil', { time: formatDeadline(until, now, locale) })}
    </Deadline>
  )
}

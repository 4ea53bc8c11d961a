import type { OverdueBill } from '@atoll/contract/clusters'
import { useAccountNow, useZone } from '../../billing/shared/use-customer.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatShortDate } from '../../kit/format/billing-dates.ts'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { OrderParts } from './OrderParts.tsx'
import classes from './OverdueLine.module.css'

const dayMs = 24 * 60 * 60_000
const minuteMs = 60_000

/** How long a cluster that is stopped for a bill is kept, since when, and from where the money would come. */
export function OverdueLine({ bill }: { bill: OverdueBill }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const now = useAccountNow(minuteMs)
  const [due, stopped, destroyed] = [bill.dueAt, bill.stoppedAt, bill.destroyAt].map((time) => Date.parse(time)) as [
    number,
    number,
    number,
  ] // three of three
  const days = Math.max(0, Math.ceil((destroyed - now) / dayMs))
  const share = (from: number, to: number) => `${Math.max(0, (to - from) / (destroyed - due)) * 100}%`
  const dates: [string, string, string?][] = [
    [t('order.dateDue'), bill.dueAt, share(due, stopped)],
    [t('order.dateStopped'), bill.stoppedAt],
    [t('order.dateDestroyed'), bill.destroyAt],
  ]
  return (
    <div className={classes.overdue}>
      <p className={classes.words}>
        <b>{t('order.daysLeft', { count: days })}</b>{' '}
        <Deadline at={bill.destroyAt} now={now}>
          {t('order.destroyedAt', { time: formatDeadline(bill.destroyAt, now, locale) })}
        </Deadline>
      </p>
      <div className={classes.bar} aria-hidden="true">
        <span className={classes.owed} style={{ width: share(due, stopped) }} />
        <span className={classes.stopped} style={{ width: share(stopped, Math.min(now, destroyed)) }} />
      </div>
      <dl className={classes.dates}>
        {dates.map(([label, time, width]) => (
          // Each begins where its part of the bar does.
          <div key={label} style={width === undefined ? undefined : { flexBasis: width }}>
            <dt>{label}</dt>
            <dd>{formatShortDate(time, zone, locale)}</dd>
          </div>
        ))}
      </dl>
      <OrderParts invoiceId={bill.invoiceId} currency={bill.currency} />
    </div>
  )
}

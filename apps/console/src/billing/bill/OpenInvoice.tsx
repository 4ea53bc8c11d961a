import type { InvoiceRow } from '@atoll/contract/billing'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { TimeRing } from '../shared/TimeLeft.tsx'
import { formatTimeLeft } from '../shared/time-left.ts'
import { useAccountNow } from '../shared/use-customer.ts'
import classes from './BillPage.module.css'

/** On a phone: an invoice that waits, over the list, with the one thing to do about it. */
export function OpenInvoice({ invoice }: { invoice: InvoiceRow }) {
  const t = useText()
  const locale = useLocale()
  const { summary, number, amount, currency, validUntil, invoiceId } = invoice
  return (
    <section className={classes.open} aria-label={number}>
      <div className={classes.openLine}>
        <span>{summary}</span>
        <span className="num">{formatMoney(amount, currency, locale)}</span>
      </div>
      <div className={classes.openNote}>
        <span>{number}</span>
        {validUntil && <Left until={validUntil} />}
      </div>
      <Button
        fullWidth
        size="lg"
        variant="filled"
        renderRoot={(props) => <Link {...props} to="/payment/$id" params={{ id: invoiceId }} />}
        aria-label={t('bill.payOf', { number })}
      >
        {t('bill.pay')}
      </Button>
    </section>
  )
}

function Left({ until }: { until: string }) {
  const t = useText()
  const leftMs = Math.max(0, Date.parse(until) - useAccountNow(1000))
  return (
    <span className={classes.openLeft} role="timer">
      <TimeRing share={leftMs / (24 * 60 * 60_000)} size={14} />
      {t('money.left', { time: formatTimeLeft(leftMs) })}
    </span>
  )
}

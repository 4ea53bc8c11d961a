import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useCustomerWhenIdle } from '../../../billing/shared/use-customer.ts'
import { overdueOf } from '../../../clusters/order/order-of.ts'
import { useClusters } from '../../../clusters/use-clusters.ts'
import { serverNow } from '../../../config/runtime-config.ts'
import { Deadline } from '../../../kit/figures/Deadline.tsx'
import { formatDate } from '../../../kit/format/billing-dates.ts'
import { formatDeadline } from '../../../kit/format/deadlines.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import classes from './PastDueNotice.module.css'

/** That a bill is past due, on every page, what it stops, and the way to pay it. */
export function PastDueNotice() {
  const t = useText()
  const locale = useLocale()
  const customer = useCustomerWhenIdle()
  const { clusters = [] } = useClusters()
  if (customer?.standing !== 'overdue' || !customer.openInvoice) return null
  const { openInvoice, currency, zone, clockOffset } = customer
  const now = serverNow() + clockOffset
  const amount = formatMoney(openInvoice.amount, currency, locale)
  // Told to who pays for it: an Admin sees those of others too.
  const stopped = clusters.flatMap((cluster) => {
    const bill = overdueOf(cluster)
    return bill ? [{ name: cluster.name, until: bill.destroyAt }] : []
  })
  const [first] = stopped.toSorted((one, other) => one.until.localeCompare(other.until))
  return (
    <div className={classes.strip} role="status">
      <IconAlertCircle size={18} stroke={1.6} aria-hidden="true" />
      <p className={classes.words}>
        <b>{t('shell.pastDue', { amount, date: formatDate(openInvoice.createAt, zone, locale) })}</b>{' '}
        {first ? (
          <Deadline at={first.until} now={now}>
            {t('shell.pastDueStopped', {
              count: stopped.length,
              names: stopped.map(({ name }) => name).join(t('shell.pastDueComma')),
              date: formatDeadline(first.until, now, locale),
            })}
          </Deadline>
        ) : (
          t('shell.pastDueCreate')
        )}
      </p>
      <Button
        size="xs"
        renderRoot={(props) => <Link {...props} to="/payment/$id" params={{ id: openInvoice.invoiceId }} />}
      >
        {t('shell.pastDuePay', { amount })}
      </Button>
    </div>
  )
}

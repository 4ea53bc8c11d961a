import { subscriptionsDetail } from '@atoll/contract/billing'
import { PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { formatDate } from '../../kit/format/billing-dates.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { askToCancel } from '../shared/cancel-order.ts'
import { DocumentBadge } from '../shared/DocumentBadge.tsx'
import { lookOf, subscriptionLooks } from '../shared/document-looks.ts'
import { KeptUntil } from '../shared/KeptUntil.tsx'
import { TimeLeft } from '../shared/TimeLeft.tsx'
import { useZone } from '../shared/use-customer.ts'
import { PeriodCells } from './PeriodCells.tsx'
import { SubscriptionInvoices } from './SubscriptionInvoices.tsx'
import { SubscriptionItems } from './SubscriptionItems.tsx'
import classes from './SubscriptionPage.module.css'
import { SubscriptionSkeleton } from './SubscriptionSkeleton.tsx'
import type { Subscription } from './subscription.ts'

/** One subscription: its items, its period and what is charged next (spec §2, `/subscriptions/{id}`). */
export function SubscriptionPage({ subscriptionId }: { subscriptionId: string }) {
  const t = useText()
  const query = useCall(subscriptionsDetail, { subscriptionId })
  usePageTitle(query.data?.name ?? t('subscription.title'))
  return (
    <ObjectPage
      query={query}
      page={t('subscription.title')}
      errorTitle={t('subscription.errorTitle')}
      gone={
        <ObjectGone title={t('subscription.goneTitle')} to={{ page: '/bill', label: t('money.toBills') }}>
          {t('subscription.gone')}
        </ObjectGone>
      }
      skeleton={<SubscriptionSkeleton />}
    >
      {(data) => <SubscriptionView subscription={data} />}
    </ObjectPage>
  )
}

function SubscriptionView({ subscription }: { subscription: Subscription }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { name, kind, status, createAt, subscriptionId, clusterId, openInvoiceId, validUntil, pending } = subscription
  const open = subscription.invoices.find(({ invoiceId }) => invoiceId === openInvoiceId)
  const canCancel = subscription.actions.includes('cancel')
  return (
    <>
      <PageHeader
        title={name}
        badge={<DocumentBadge look={lookOf(subscriptionLooks, status)} />}
        actions={
          <>
            {canCancel && open && (
              <ChangeButton
                variant="dangerOutline"
                onClick={() =>
                  askToCancel(
                    { cancels: { subscriptionId }, invoice: { ...open, currency: subscription.currency } },
                    locale,
                  )
                }
              >
                {t('money.cancelOrder')}
              </ChangeButton>
            )}
            {clusterId && !canCancel && status !== 'ended' && status !== 'canceled' && (
              <Button renderRoot={(props) => <Link {...props} to="/cluster/$clusterId" params={{ clusterId }} />}>
                {t('subscription.openCluster')}
              </Button>
            )}
            {openInvoiceId && (
              <Button
                variant="filled"
                renderRoot={(props) => <Link {...props} to="/payment/$id" params={{ id: openInvoiceId }} />}
              >
                {open
                  ? t('payment.pay', { amount: formatMoney(open.amount, subscription.currency, locale) })
                  : t('bill.pay')}
              </Button>
            )}
          </>
        }
      >
        {[
          t(kind === 'plan' ? 'subscription.ofPlan' : 'subscription.ofCluster'),
          t('subscription.since', { date: formatDate(createAt, zone, locale) }),
        ].join(t('money.dot'))}
        {t('money.dot')}
        <span className="mono">{subscriptionId}</span>
      </PageHeader>
      <div className="stack">
        {status === 'unpaid' && validUntil ? (
          <section className={classes.waiting} aria-label={t('subscription.waiting')}>
            <TimeLeft until={validUntil}>
              <KeptUntil until={validUntil} />
            </TimeLeft>
            <p className={classes.waitingText}>{t('subscription.waiting')}</p>
          </section>
        ) : (
          (status === 'active' || status === 'past_due') && <PeriodCells subscription={subscription} />
        )}
        <SubscriptionItems subscription={subscription} />
        {subscription.invoices.length > 0 && <SubscriptionInvoices subscription={subscription} />}
        {(status === 'active' || status === 'past_due') && (
          <p className={classes.note}>
            {pending
              ? t('subscription.pending', { name: pending.planName, date: formatDate(pending.at, zone, locale) })
              : t(kind === 'plan' ? 'subscription.planNote' : 'subscription.clusterNote')}
          </p>
        )}
      </div>
    </>
  )
}

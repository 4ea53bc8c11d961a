import { PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { formatDate } from '../kit/format/billing-dates.ts'
import { ObjectGone } from '../kit/page/ObjectGone.tsx'
import { ObjectPage } from '../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { useLocale, useText } from '../locales/text.ts'
import { askToCancel } from '../money/cancel-order.ts'
import { DocumentBadge } from '../money/DocumentBadge.tsx'
import { invoiceLooks, paymentLook } from '../money/document-looks.ts'
import { useZone } from '../money/use-customer.ts'
import { InvoicePanel } from './InvoicePanel.tsx'
import { PaymentAttempts } from './PaymentAttempts.tsx'
import classes from './PaymentPage.module.css'
import { PaymentPanel } from './PaymentPanel.tsx'
import { PaymentSkeleton } from './PaymentSkeleton.tsx'
import { type ShownPayment, usePayment } from './use-payment.ts'

/** One payment: how much, how it stands, from where, each try in words, and its invoice (spec §2, `/payment/{id}`). */
export function PaymentPage({ id }: { id: string }) {
  const t = useText()
  const query = usePayment(id)
  usePageTitle(query.data?.invoice.summary ?? t('payment.title'))
  return (
    <ObjectPage
      query={query}
      page={t('payment.title')}
      errorTitle={t('payment.errorTitle')}
      gone={
        <ObjectGone title={t('payment.goneTitle')} to={{ page: '/bill', label: t('money.toBills') }}>
          {t('payment.gone')}
        </ObjectGone>
      }
      skeleton={<PaymentSkeleton />}
    >
      {(data) => <PaymentView {...data} />}
    </ObjectPage>
  )
}

function PaymentView({ invoice, payment }: ShownPayment) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { summary, number, createAt, status, actions, items } = invoice
  // An order is taken back whole, by any of its instances.
  const instanceId = items[0]?.instanceId
  return (
    <>
      <PageHeader
        title={summary}
        badge={
          // While nobody tried, or after the last try, it is the invoice that stands somehow.
          <DocumentBadge look={payment && status !== 'void' ? paymentLook(payment) : invoiceLooks[status]} />
        }
        actions={
          actions.includes('cancel') &&
          instanceId && (
            <Button variant="subtle" onClick={() => askToCancel({ cancels: { instanceId }, invoice }, locale)}>
              {t('money.cancelOrder')}
            </Button>
          )
        }
      >
        {[number, formatDate(createAt, zone, locale)].join(t('money.dot'))}
      </PageHeader>
      <div className={classes.columns}>
        <div className="stack">
          <PaymentPanel invoice={invoice} payment={payment} />
          <PaymentAttempts attempts={invoice.payments} currency={invoice.currency} />
        </div>
        <InvoicePanel invoice={invoice} />
      </div>
    </>
  )
}

import { PageHeader } from '@atoll/ui'
import { formatDate } from '../../kit/format/billing-dates.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { askToCancel } from '../shared/cancel-order.ts'
import { DocumentBadge } from '../shared/DocumentBadge.tsx'
import { invoiceLooks, lookOf, paymentLook } from '../shared/document-looks.ts'
import { Panel } from '../shared/Panel.tsx'
import { useZone } from '../shared/use-customer.ts'
import { Compared } from './invoice/Compared.tsx'
import { InvoiceLines, type InvoiceLinesProps, OpenAll } from './invoice/InvoiceLines.tsx'
import { InvoicePanel } from './invoice/InvoicePanel.tsx'
import { InvoiceTotals } from './invoice/InvoiceTotals.tsx'
import { isUsage } from './invoice/invoice-item.ts'
import { type ShownPayment, usePayment } from './invoice/use-payment.ts'
import { LaterChanges } from './LaterChanges.tsx'
import { PaymentAttempts } from './PaymentAttempts.tsx'
import classes from './PaymentPage.module.css'
import { PaymentPanel } from './PaymentPanel.tsx'
import { PaymentSkeleton } from './PaymentSkeleton.tsx'
import { useLeadsOn } from './use-after-payment.ts'

/** One payment: how much, how it stands, from where, each try in words, and its invoice (spec §2, `/payment/{id}`). */
export function PaymentPage({ id, usageOf }: { id: string } & Pick<InvoiceLinesProps, 'usageOf'>) {
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
      {(data) => <PaymentView {...data} usageOf={usageOf} />}
    </ObjectPage>
  )
}

function PaymentView({ invoice, payment, usageOf }: ShownPayment & Pick<InvoiceLinesProps, 'usageOf'>) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  useLeadsOn(invoice, payment)
  const { summary, number, createAt, status, actions, items } = invoice
  // An order is taken back whole, by any of its instances.
  const instanceId = items[0]?.instanceId
  return (
    <>
      <PageHeader
        title={summary}
        badge={
          // While nobody tried, or after the last try, it is the invoice that stands somehow.
          <DocumentBadge look={payment && status !== 'void' ? paymentLook(payment) : lookOf(invoiceLooks, status)} />
        }
        actions={
          actions.includes('cancel') &&
          instanceId && (
            <ChangeButton variant="subtle" onClick={() => askToCancel({ cancels: { instanceId }, invoice }, locale)}>
              {t('money.cancelOrder')}
            </ChangeButton>
          )
        }
      >
        {[number, formatDate(createAt, zone, locale)].join(t('money.dot'))}
      </PageHeader>
      {items.some(isUsage) ? (
        // The derivation of usage needs the room (board 45).
        <div className={classes.explained}>
          <div className={classes.pay}>
            <PaymentPanel invoice={invoice} payment={payment} />
          </div>
          <div className={classes.lines}>
            <Panel title={t('payment.lines')} note={<OpenAll items={items} />}>
              <InvoiceLines invoice={invoice} usageOf={usageOf} />
            </Panel>
            <PaymentAttempts attempts={invoice.payments} currency={invoice.currency} />
          </div>
          <div className={classes.sums}>
            <InvoiceTotals invoice={invoice} />
            <LaterChanges invoice={invoice} />
            <Compared invoice={invoice} />
          </div>
        </div>
      ) : (
        <div className={classes.columns}>
          <div className="stack">
            <PaymentPanel invoice={invoice} payment={payment} />
            <PaymentAttempts attempts={invoice.payments} currency={invoice.currency} />
          </div>
          <InvoicePanel invoice={invoice} usageOf={usageOf} />
        </div>
      )}
    </>
  )
}

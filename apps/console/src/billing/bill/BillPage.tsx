import { invoicesExportPath, invoicesPage, paymentPage, subscriptionsPage } from '@atoll/contract/billing'
import { PageHeader } from '@atoll/ui'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCall } from '../../data/use-call.ts'
import { PageTabs } from '../../kit/page/PageTabs.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { ExportButton } from '../../kit/table/ExportButton.tsx'
import { useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'
import { StatementButton } from '../shared/StatementButton.tsx'
import { useZone } from '../shared/use-customer.ts'
import classes from './BillPage.module.css'
import { type BillTab, billSearch, invoicesSearch } from './bill-search.ts'
import { InvoicesTab, invoiceFilterOf } from './InvoicesTab.tsx'
import { PaymentsTab } from './PaymentsTab.tsx'
import { SubscriptionsTab } from './SubscriptionsTab.tsx'

/** Everything that was charged and paid, and what renews (spec §2, `/bill`). */
export function BillPage() {
  const t = useText()
  const zone = useZone()
  const search = useSearch({ strict: false })
  const { tab = 'invoices' } = billSearch(search)
  const counts = useCounts()
  const navigate = useNavigate()
  // Filters of one tab do not apply to another.
  const open = (next: BillTab) =>
    void navigate({ to: '.', search: next === 'invoices' ? {} : { tab: next }, resetScroll: false })
  usePageTitle(t('bill.title'))
  const title = (key: BillTab, name: string): ReactNode => (
    <>
      {name}
      {counts[key] !== undefined && <span className={classes.count}>{counts[key]}</span>}
    </>
  )
  return (
    <>
      <PageHeader
        title={t('bill.title')}
        actions={
          <>
            <ExportButton
              path={invoicesExportPath}
              body={() => invoiceFilterOf(invoicesSearch(tab === 'invoices' ? search : {}), zone)}
              name="invoices"
              disabled={!counts.invoices}
            />
            <StatementButton />
          </>
        }
      >
        <Receipts />
      </PageHeader>
      <PageTabs
        label={t('bill.tabsLabel')}
        tab={tab}
        onOpen={open}
        tabs={[
          { key: 'invoices', title: title('invoices', t('bill.invoices')), panel: <InvoicesTab /> },
          { key: 'payments', title: title('payments', t('bill.payments')), panel: <PaymentsTab /> },
          { key: 'subscriptions', title: title('subscriptions', t('bill.subscriptions')), panel: <SubscriptionsTab /> },
        ]}
      />
    </>
  )
}

/** Where receipts are sent. */
function Receipts() {
  const t = useText()
  const email = useCurrentAccount()?.email
  return (
    <div className={classes.receipts}>
      <span>{email ? t('bill.receipts', { email }) : t('bill.noReceipts')}</span>
      <Link to="/profile">{t(email ? 'bill.change' : 'bill.addEmail')}</Link>
    </div>
  )
}

/** How many there are of each, whatever narrows the lists. */
function useCounts(): Record<BillTab, number | undefined> {
  const one = { page: 1, rowsPerPage: 1 }
  return {
    invoices: useCall(invoicesPage, one).data?.rowsNumber,
    payments: useCall(paymentPage, one).data?.rowsNumber,
    subscriptions: useCall(subscriptionsPage, one).data?.rowsNumber,
  }
}

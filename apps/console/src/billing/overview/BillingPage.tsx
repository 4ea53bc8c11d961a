import { emailShow } from '@atoll/contract/accounts'
import { customerInfo } from '@atoll/contract/billing'
import { PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { HelpLink } from '../../kit/site/HelpLink.tsx'
import { useText } from '../../locales/text.ts'
import classes from './BillingPage.module.css'
import { BalanceCard } from './balance/BalanceCard.tsx'
import { SpendCapCard } from './cap/SpendCapCard.tsx'
import card from './card/BillingCard.module.css'
import { useNewestInvoices } from './card/use-newest-invoices.ts'
import { ForecastCard } from './forecast/ForecastCard.tsx'
import { InvoicesCard } from './invoices/InvoicesCard.tsx'
import { MethodsCard } from './methods/MethodsCard.tsx'
import { NextInvoiceCard } from './next/NextInvoiceCard.tsx'
import { PlanCard } from './plan/PlanCard.tsx'
import { PlansCard } from './plan/PlansCard.tsx'
import { UsageCard } from './usage/UsageCard.tsx'

/** The account's charges, means of payment and forecast (spec §2, `/billing`). Each card loads and fails alone. */
export function BillingPage() {
  const t = useText()
  const email = useCall(emailShow, {}).data
  const canTravel = useCall(customerInfo, {}).data?.canTravel
  const { hasNone } = useNewestInvoices()
  usePageTitle(t('billing.title'))
  return (
    <>
      <PageHeader
        title={t('billing.title')}
        actions={
          canTravel && <Button renderRoot={(props) => <Link {...props} to="/sandbox" />}>{t('shell.sandbox')}</Button>
        }
      >
        <span className={classes.email}>
          {email && (email.email ? t('billing.receiptsTo', { email: email.email }) : t('billing.noReceipts'))}
          {email && (
            <Link to="/profile" className={card.link}>
              {t(email.email ? 'billing.emailChange' : 'billing.emailLink')}
            </Link>
          )}
        </span>
      </PageHeader>
      <div className={classes.cards}>
        <div className={classes.narrowWide}>
          <PlanCard />
          <NextInvoiceCard />
        </div>
        <UsageCard />
        <PlansCard />
        <div className={hasNone ? classes.folded : classes.cards}>
          <div className={classes.wideNarrow}>
            <MethodsCard />
            <BalanceCard />
          </div>
          <InvoicesCard />
          <div className={[classes.wideNarrow, classes.top].join(' ')}>
            <ForecastCard />
            <SpendCapCard />
          </div>
        </div>
      </div>
      <HelpLink page="billing" />
    </>
  )
}

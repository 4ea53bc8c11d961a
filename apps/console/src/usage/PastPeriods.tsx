import type { MeteredProduct, UsagePeriod, usagePeriods } from '@atoll/contract/billing'
import { type CallData, countRows, unreadableRows } from '@atoll/contract/wire'
import { formatFigure } from '@atoll/ui/i18n'
import { Link } from '@tanstack/react-router'
import { BillingCard, type CardQuery } from '../billing/overview/card/BillingCard.tsx'
import { meteredName } from '../billing/overview/plan/plan-words.ts'
import { useZone } from '../billing/shared/use-customer.ts'
import { formatMoney } from '../kit/format/money.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import { NoValue } from '../kit/table/NoValue.tsx'
import { Pager } from '../kit/table/Pager.tsx'
import { UnreadableRows } from '../kit/table/UnreadableRows.tsx'
import { textOf, useLocale, useText } from '../locales/text.ts'
import { periodText } from './period-words.ts'
import classes from './UsagePage.module.css'

interface PastPeriodsProps {
  query: CardQuery<CallData<typeof usagePeriods>>
  product: MeteredProduct
  /** The end of the period that is shown above. */
  opened: string | undefined
  toPage: (page: number) => void
  onOpen: (end: string) => void
}

/** The periods before, with what was charged of a product and on which bills. */
export function PastPeriods({ query, product, opened, toPage, onOpen }: PastPeriodsProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const of = (period: UsagePeriod) => period.products.find(({ productType }) => productType === product)
  const figure = (value: number, unit: string) => `${formatFigure(value, 1, locale)} ${unit}`
  // Where the plan was the same in all that are listed.
  const [included, ...others] = new Set(
    query.data?.periods.flatMap((period) => of(period) ?? []).map((own) => figure(own.quota, own.unitLabel)),
  )
  const quota = others.length === 0 ? included : undefined
  return (
    <BillingCard
      title={t('usagePage.past')}
      action={
        <span className="small quiet num">
          {quota === undefined
            ? t(textOf(meteredName, product))
            : t('usagePage.includedEach', { product: t(textOf(meteredName, product)), quota })}
        </span>
      }
      query={query}
      errorTitle={t('usagePage.pastError')}
      height={180}
    >
      {(data) => {
        if (data.rowsNumber === 0) return <p className={classes.none}>{t('usagePage.pastNone')}</p>
        return (
          <>
            <DataTable
              label={t('usagePage.past')}
              rows={data.periods}
              rowKey={({ end }) => end}
              isMarked={({ end }) => end === opened}
              columns={[
                {
                  header: t('usagePage.columnPeriod'),
                  cell: (period) => (
                    <button type="button" className={classes.open} onClick={() => onOpen(period.end)}>
                      {periodText(period, zone, locale)}
                    </button>
                  ),
                  leads: true,
                  phone: 'first',
                },
                {
                  header: t('usagePage.columnUsed'),
                  cell: (period) => {
                    const own = of(period)
                    return own ? figure(own.used, own.unitLabel) : <NoValue />
                  },
                  width: '17%',
                  align: 'right',
                  phone: 'second',
                },
                {
                  header: t('usagePage.columnAbove'),
                  cell: (period) => {
                    const own = of(period)
                    return own && own.overage > 0 ? (
                      figure(own.overage, own.unitLabel)
                    ) : (
                      <NoValue label={figure(0, 'GB')} />
                    )
                  },
                  width: '16%',
                  align: 'right',
                  phone: 'none',
                },
                {
                  header: t('usagePage.columnCharged'),
                  cell: (period) => {
                    const own = of(period)
                    return own ? formatMoney(own.amount, own.currency, locale) : <NoValue />
                  },
                  width: '16%',
                  align: 'right',
                  phone: 'first-end',
                },
                {
                  header: t('usagePage.columnInvoice'),
                  cell: (period) => <Bills period={period} product={of(period)} />,
                  width: '28%',
                  phone: 'second-end',
                },
              ]}
            />
            {data.rowsNumber > data.rowsPerPage && <Pager {...data} list={t('usagePage.past')} onPage={toPage} />}
          </>
        )
      }}
    </BillingCard>
  )
}

function Bills({ period, product }: { period: UsagePeriod; product: UsagePeriod['products'][number] | undefined }) {
  const t = useText()
  const invoices = product?.invoices ?? []
  if (countRows(invoices) !== 0) {
    return (
      <span className={classes.invoices}>
        {invoices.map(({ invoiceId, number }) => (
          <Link key={invoiceId} to="/payment/$id" params={{ id: invoiceId }}>
            {number}
          </Link>
        ))}
        <UnreadableRows of={invoices} />
      </span>
    )
  }
  // The product is among those that could not be read.
  if (!product && unreadableRows(period.products) > 0) return <UnreadableRows of={period.products} />
  const isWaiting = !period.isBilled && period.planLevel > 0
  return <span className={classes.quiet}>{t(isWaiting ? 'usagePage.notBilled' : 'usagePage.noCharge')}</span>
}

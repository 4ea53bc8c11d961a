import type { SubscriptionItem } from '@atoll/contract/billing'
import { formatDate } from '../../kit/format/billing-dates.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { DocumentBadge } from '../shared/DocumentBadge.tsx'
import { lookOf, subscriptionLooks } from '../shared/document-looks.ts'
import { Panel } from '../shared/Panel.tsx'
import { useZone } from '../shared/use-customer.ts'
import type { Subscription } from './subscription.ts'
import { amountOf, totalOf } from './total-of.ts'

/** Charged items, a line each, and their sum. */
export function SubscriptionItems({ subscription }: { subscription: Subscription }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { subscriptionItemsInfo: items, currency, kind } = subscription
  const money = (amount: number) => formatMoney(amount, currency, locale)
  const nameOf = ({ instance, priceInfo }: SubscriptionItem) => {
    if (!instance) return priceInfo.productName
    const number = /^worker-(\d+)$/.exec(instance.name)?.[1]
    return number === undefined ? t('subscription.master') : t('cluster.workerNumber', { number })
  }
  return (
    <Panel title={t('subscription.items')} note={t(kind === 'plan' ? 'subscription.aheadPlan' : 'subscription.ahead')}>
      <DataTable
        label={t('subscription.items')}
        rows={items}
        rowKey={({ subscriptionItemId }) => subscriptionItemId}
        columns={[
          {
            header: t('subscription.columnItem'),
            cell: (item) => (
              <CellLines main={nameOf(item)} second={item.instance ? item.priceInfo.productName : undefined} />
            ),
            phone: 'first',
            total: t('subscription.total'),
          },
          {
            header: t('subscription.columnSince'),
            cell: ({ createAt }) => formatDate(createAt, zone, locale),
            width: '16%',
            isQuiet: true,
            phone: 'none',
          },
          {
            header: t('bill.columnStatus'),
            cell: ({ status }) => <DocumentBadge look={lookOf(subscriptionLooks, status)} bare />,
            width: '16%',
            phone: 'none',
          },
          {
            header: t('subscription.columnPrice'),
            cell: ({ priceInfo, quantity }) =>
              quantity === 1
                ? money(priceInfo.amount)
                : t('subscription.times', { count: quantity, price: money(priceInfo.amount) }),
            width: '18%',
            align: 'right',
            isQuiet: true,
            phone: 'none',
          },
          {
            header: t('subscription.columnAmount'),
            cell: (item) => money(amountOf(item)),
            width: '16%',
            align: 'right',
            phone: 'first-end',
            total: money(totalOf(subscription)),
          },
        ]}
      />
    </Panel>
  )
}

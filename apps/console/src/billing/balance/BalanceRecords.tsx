import '@mantine/core/styles/SegmentedControl.layer.css'
import { type BalanceChange, balanceParts } from '@atoll/contract/billing'
import { EmptyState } from '@atoll/ui'
import { SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatDateAndTime } from '../../kit/format/billing-dates.ts'
import { formatBalance, formatChange, ofCustomer } from '../../kit/format/money.ts'
import { Tag } from '../../kit/page/Tag.tsx'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import type { ListState } from '../../kit/table/use-list-search.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { useZone } from '../shared/use-customer.ts'
import classes from './BalanceRecords.module.css'
import type { balanceSearch } from './balance-search.ts'
import type { useBalance } from './use-balance.ts'

interface BalanceRecordsProps {
  query: ReturnType<typeof useBalance>
  list: ListState<ReturnType<typeof balanceSearch>>
}

/** Every change of the balance and of promotional credit, the newest first; as the customer's: plus is theirs. */
export function BalanceRecords({ query, list }: BalanceRecordsProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const currency = query.data?.currency ?? ''
  const partName = (of: BalanceChange['of']) => t(of === 'promo' ? 'money.promo' : 'money.balance')
  return (
    <section className={classes.records} aria-labelledby="records">
      <div className={classes.head}>
        <h2 id="records">{t('balance.records')}</h2>
        <SegmentedControl
          size="xs"
          aria-label={t('balance.filterPart')}
          value={list.search.of ?? ''}
          data={[
            { value: '', label: t('balance.all') },
            ...balanceParts.map((of) => ({ value: of, label: partName(of) })),
          ]}
          onChange={(value) =>
            list.set(
              'of',
              balanceParts.find((of) => of === value),
            )
          }
        />
      </div>
      <PagedTable
        label={t('balance.records')}
        query={query}
        rows={({ balanceChangeRecord }) => balanceChangeRecord}
        rowKey={({ seq, of }) => `${seq} ${of}`}
        list={list}
        errorTitle={t('balance.errorTitle')}
        empty={<EmptyState title={t('balance.emptyTitle')}>{t('balance.empty')}</EmptyState>}
        columns={[
          {
            header: t('balance.columnNumber'),
            cell: ({ seq }) => seq,
            width: '68px',
            isQuiet: true,
            phone: 'none',
            isWide: true,
          },
          {
            header: t('balance.columnWhen'),
            cell: ({ createAt }) => <time dateTime={createAt}>{formatDateAndTime(createAt, zone, locale)}</time>,
            width: '196px',
            isQuiet: true,
            phone: 'second',
          },
          {
            header: t('balance.columnWhat'),
            cell: ({ description }) => <CellLines main={description} />,
            phone: 'first',
          },
          {
            header: t('balance.columnDocument'),
            cell: ({ invoiceId, invoiceNumber }) =>
              invoiceId ? (
                <Link to="/payment/$id" params={{ id: invoiceId }} className={classes.document ?? ''}>
                  {invoiceNumber ?? invoiceId}
                </Link>
              ) : (
                <NoValue label={t('balance.noDocument')} />
              ),
            width: '146px',
            isQuiet: true,
            leads: true,
            phone: 'third',
            isWide: true,
          },
          {
            header: t('balance.columnOf'),
            cell: ({ of }) => (
              <Tag className={classes.tag} tone={of === 'promo' ? 'amber' : undefined}>
                {partName(of)}
              </Tag>
            ),
            width: '118px',
            isQuiet: true,
            phone: 'second',
            isWide: true,
          },
          {
            header: t('balance.columnChange'),
            cell: ({ amount }) => (
              <span data-sign={amount < 0 ? 'plus' : undefined} className={classes.change}>
                {formatChange(ofCustomer(amount), currency, locale)}
              </span>
            ),
            width: '104px',
            align: 'right',
            phone: 'first-end',
          },
          {
            header: t('balance.columnAfter'),
            cell: ({ balance }) => <span className={classes.after}>{formatBalance(balance, currency, locale)}</span>,
            width: '104px',
            align: 'right',
            phone: 'second-end',
          },
        ]}
      />
    </section>
  )
}

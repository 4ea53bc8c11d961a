import {
  type Customer,
  type CustomerFilter,
  customerSorts,
  customerStates,
  customersExportPath,
  customersPage,
} from '@atoll/contract/staff'
import { currencies, planNames } from '@atoll/contract/wire'
import { EmptyState, PageHeader } from '@atoll/ui'
import { formatFigure } from '@atoll/ui/i18n'
import { IconArrowsSort, IconCoin, IconFilter, IconStack2 } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '../../data/use-call.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { choiceFilter } from '../../kit/table/choice-filter.ts'
import { ExportButton } from '../../kit/table/ExportButton.tsx'
import { FilterBar } from '../../kit/table/FilterBar.tsx'
import { FindField } from '../../kit/table/FindField.tsx'
import { defineListSearch, oneOf } from '../../kit/table/list-search.ts'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { DayAndTime } from '../parts/DayAndTime.tsx'
import { LookBadge } from '../parts/LookBadge.tsx'
import classes from './Customers.module.css'
import { customerLooks } from './customer-looks.ts'
import { PersonLink } from './PersonLink.tsx'

const search = defineListSearch({
  find: { safeParse: (value) => ({ data: typeof value === 'string' && value !== '' ? value : undefined }) },
  state: oneOf(customerStates),
  plan: oneOf(planNames),
  currency: oneOf(currencies),
  sort: oneOf(customerSorts),
})

/** Everybody whom this deployment serves: found, narrowed, ordered, exported. */
export function CustomersPage() {
  const t = useText()
  const locale = useLocale()
  const list = useListSearch(search)
  const { find, state, plan, currency, sort } = list.search
  const filter = {
    ...(find && { search: find }),
    ...(state && { state }),
    ...(plan && { plan: planNames.indexOf(plan) }),
    ...(currency && { currency }),
    sort: sort ?? 'lastSeen',
  } satisfies CustomerFilter
  const body = { ...filter, page: list.search.page ?? 1 }
  const query = useCall(customersPage, body, { placeholderData: keepPreviousData })
  usePageTitle(t('operator.customers'))
  useCrumb(t('operator.customers'))
  const sorts = {
    lastSeen: 'operator.lastSeen',
    owed: 'operator.owed',
    monthly: 'operator.monthly',
    balance: 'operator.balance',
    name: 'operator.name',
  } as const
  const amount = (minor: number | null, { currency: of }: Customer) =>
    !minor || of === null ? <NoValue /> : <span className="num">{formatMoney(minor, of, locale)}</span>
  return (
    <>
      <PageHeader
        title={t('operator.customers')}
        actions={
          <ExportButton
            path={customersExportPath}
            body={() => filter}
            name="customers"
            disabled={query.data === undefined || query.data.rowsNumber === 0}
          />
        }
      >
        {query.data &&
          t(query.data.isAbout ? 'operator.customersAbout' : 'operator.customersCount', {
            count: query.data.rowsNumber,
            figure: formatFigure(query.data.rowsNumber, 0, locale),
          })}
      </PageHeader>
      <FindField label={t('operator.find')} found={find} onFind={(words) => list.set('find', words)} />
      <FilterBar
        filters={[
          choiceFilter({
            label: t('operator.state'),
            icon: IconFilter,
            all: t('operator.anyState'),
            values: customerStates,
            labelOf: (value) => t(customerLooks[value].label),
            value: state,
            onChoose: (value) => list.set('state', value),
          }),
          choiceFilter({
            label: t('operator.plan'),
            icon: IconStack2,
            all: t('operator.anyPlan'),
            values: planNames,
            labelOf: (value) => value,
            value: plan,
            onChoose: (value) => list.set('plan', value),
          }),
          choiceFilter({
            label: t('operator.currency'),
            icon: IconCoin,
            all: t('operator.anyCurrency'),
            values: currencies,
            labelOf: (value) => value.toUpperCase(),
            value: currency,
            onChoose: (value) => list.set('currency', value),
          }),
          choiceFilter({
            label: t('operator.sort'),
            icon: IconArrowsSort,
            all: t('operator.lastSeen'),
            values: customerSorts.slice(1),
            labelOf: (value) => t(sorts[value]),
            value: sort,
            onChoose: (value) => list.set('sort', value),
          }),
        ]}
      />
      <PagedTable
        label={t('operator.customers')}
        query={query}
        rows={({ customers }) => customers}
        rowKey={({ person }) => person.accountId}
        list={list}
        errorTitle={t('operator.customersError')}
        empty={<EmptyState title={t('operator.customersNone')}>{t('operator.customersNoneText')}</EmptyState>}
        columns={[
          {
            header: t('operator.customer'),
            cell: ({ person, email }) => <PersonLink person={person} second={email} />,
            leads: true,
            phone: 'first',
          },
          {
            header: t('operator.state'),
            cell: (row) => <LookBadge looks={customerLooks} state={row.state} />,
            width: '13%',
            phone: 'second',
          },
          {
            header: t('operator.plan'),
            cell: ({ planLevel }) => planNames[planLevel] ?? '–',
            width: '9%',
            phone: 'second',
          },
          {
            header: t('operator.clusters'),
            cell: ({ clusters }) => <span className="num">{clusters}</span>,
            width: '9%',
            align: 'right',
            phone: 'none',
          },
          {
            header: t('operator.balance'),
            cell: (row) => amount(row.balance, row),
            width: '10%',
            align: 'right',
            phone: 'none',
          },
          {
            header: t('operator.owed'),
            cell: (row) => <span className={row.owed ? classes.owed : undefined}>{amount(row.owed, row)}</span>,
            width: '10%',
            align: 'right',
            phone: 'first-end',
          },
          {
            header: t('operator.monthly'),
            cell: (row) => amount(row.monthly, row),
            width: '11%',
            align: 'right',
            isWide: true,
            phone: 'none',
          },
          {
            header: t('operator.lastSeen'),
            cell: ({ lastSeenAt }) => <DayAndTime at={lastSeenAt} />,
            width: '14%',
            align: 'right',
            isQuiet: true,
            phone: 'second-end',
          },
        ]}
      />
    </>
  )
}

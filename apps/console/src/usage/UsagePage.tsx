import { type MeteredProduct, planShow, usageDays, usageExportPath, usagePeriods } from '@atoll/contract/billing'
import { countRows } from '@atoll/contract/wire'
import { PageHeader } from '@atoll/ui'
import { keepPreviousData } from '@tanstack/react-query'
import { useAccountNow, useZone } from '../billing/shared/use-customer.ts'
import { useCall } from '../data/use-call.ts'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { StaleNotice } from '../kit/page/StaleNotice.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { ExportButton } from '../kit/table/ExportButton.tsx'
import { UnreadableRows } from '../kit/table/UnreadableRows.tsx'
import { useListSearch } from '../kit/table/use-list-search.ts'
import { useText } from '../locales/text.ts'
import { ClusterShares } from './ClusterShares.tsx'
import { daysAt } from './day-figures.ts'
import { PastPeriods } from './PastPeriods.tsx'
import { PeriodPicker } from './PeriodPicker.tsx'
import { ProductTabs } from './ProductTabs.tsx'
import { UsageSkeleton } from './UsageSkeleton.tsx'
import { usageSearch } from './usage-search.ts'

/** So many past periods are listed at a time. */
const rowsPerPage = 12
const firstProduct: MeteredProduct = 'cloud_traffic'

/** Usage and its cost by cluster and by day, for any period of the account (spec §3; board 45). */
export function UsagePage() {
  const t = useText()
  const zone = useZone()
  const now = useAccountNow()
  const list = useListSearch(usageSearch)
  const { end, product = firstProduct, page = 1 } = list.search
  const query = useCall(usageDays, { ...(end && { end }) }, { placeholderData: keepPreviousData })
  const periods = useCall(usagePeriods, { page, rowsPerPage }, { placeholderData: keepPreviousData })
  const plans = useCall(planShow, {}).data?.plans
  usePageTitle(t('usagePage.title'))
  /** Shows the period with that end (undefined: the running one) and that product. */
  const open = (until: string | undefined, of = product) =>
    list.replace({
      ...(until && { end: until }),
      ...(of !== firstProduct && { product: of }),
      ...(page > 1 && { page }),
    })
  const { data, error } = query
  const plan = data && plans?.find(({ planLevel }) => planLevel === data.planLevel)?.name
  const shown = data?.products.find(({ productType }) => productType === product) ?? data?.products[0]
  const days = data ? daysAt(data, zone, now) : []
  return (
    <>
      <PageHeader
        title={t('usagePage.title')}
        actions={
          <>
            {data && <PeriodPicker period={data} listed={periods.data} onOpen={open} />}
            <ExportButton
              path={usageExportPath}
              body={() => (end ? { end } : {})}
              name="usage"
              disabled={!data?.products.some(({ used }) => used > 0)}
            />
          </>
        }
      >
        {[...(plan ? [t('usagePage.plan', { plan })] : []), t('usagePage.zone', { zone })].join(t('usagePage.stop'))}
      </PageHeader>
      <div className="stack">
        {data && error && <StaleNotice error={error} updatedAt={query.dataUpdatedAt} onRetry={() => query.refetch()} />}
        {!data && error && <LoadFailure title={t('usagePage.error')} error={error} onRetry={() => query.refetch()} />}
        {!data && !error && <UsageSkeleton />}
        {data && !shown && <UnreadableRows of={data.products} />}
        {data && shown && (
          <>
            <ProductTabs period={data} shown={shown} days={days} now={now} onChoose={(next) => open(end, next)} />
            {countRows(shown.clusters) !== 0 && <ClusterShares period={data} product={shown} days={days} now={now} />}
          </>
        )}
        <PastPeriods query={periods} product={product} toPage={list.toPage} onOpen={open} opened={data?.end} />
      </div>
    </>
  )
}

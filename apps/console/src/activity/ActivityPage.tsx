import { PageHeader, useDelayed } from '@atoll/ui'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useText } from '../kit/i18n/text.ts'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { StaleNotice } from '../kit/page/StaleNotice.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { useCurrentAccount } from '../session/account-store.ts'
import { ActivityEmpty } from './ActivityEmpty.tsx'
import { ActivityFilters } from './ActivityFilters.tsx'
import classes from './ActivityPage.module.css'
import { ActivityPager } from './ActivityPager.tsx'
import { ActivitySkeleton } from './ActivitySkeleton.tsx'
import { ActivityTable } from './ActivityTable.tsx'
import { type ActivitySearch, activitySearch } from './activity-search.ts'
import { ExportButton } from './ExportButton.tsx'
import { useActivity } from './use-activity.ts'

/** The audit log: who did what to which object, from where, and what it changed. */
export function ActivityPage() {
  const t = useText()
  const navigate = useNavigate()
  const userid = useCurrentAccount()?.userid ?? ''
  const search = activitySearch(useSearch({ strict: false }))
  const { data, error, dataUpdatedAt, refetch } = useActivity(search)
  const skeleton = useDelayed(!data && !error)
  usePageTitle(t('activity.title'))
  const choose = (next: ActivitySearch) => void navigate({ to: '.', search: () => next, replace: true })
  const retry = () => refetch()
  const isFiltered = Object.keys(search).some((key) => key !== 'page')

  if (!data && error)
    return <LoadFailure page={t('activity.title')} title={t('activity.errorTitle')} error={error} onRetry={retry} />
  const empty = data?.records.length === 0
  return (
    <>
      <PageHeader
        title={t('activity.title')}
        actions={<ExportButton search={search} disabled={data === undefined || data.rowsNumber === 0} />}
      >
        {data && t('activity.count', { count: data.rowsNumber })}
      </PageHeader>
      <ActivityFilters userid={userid} search={search} records={data?.records ?? []} onChoose={choose} />
      {data && error && <StaleNotice error={error} updatedAt={dataUpdatedAt} onRetry={retry} />}
      {skeleton && <ActivitySkeleton />}
      {empty && !isFiltered && <ActivityEmpty />}
      {empty && isFiltered && (
        <div className={classes.card}>
          <p className={classes.none}>{t('activity.noneOfFilter')}</p>
        </div>
      )}
      {data && !empty && (
        <>
          <div className={classes.card}>
            <ActivityTable
              userid={userid}
              records={data.records}
              onObject={(object) => choose({ ...(search.kind && { kind: search.kind }), object })}
            />
          </div>
          <ActivityPager
            page={data.page}
            rowsPerPage={data.rowsPerPage}
            rowsNumber={data.rowsNumber}
            onPage={(page) => choose({ ...search, page })}
          />
        </>
      )}
    </>
  )
}

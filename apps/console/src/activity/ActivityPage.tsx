import { auditExportPath } from '@atoll/contract/audit'
import { PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { ExportButton } from '../kit/table/ExportButton.tsx'
import { FilterBar } from '../kit/table/FilterBar.tsx'
import { useListSearch } from '../kit/table/use-list-search.ts'
import { useText } from '../locales/text.ts'
import { useCurrentAccount } from '../session/account-store.ts'
import { ActivityTable } from './ActivityTable.tsx'
import { activitySearch } from './activity-search.ts'
import { filterOf, useActivity } from './use-activity.ts'
import { useActivityFilters } from './use-activity-filters.ts'

/** The audit log: who did what to which object, from where, and what it changed. */
export function ActivityPage() {
  const t = useText()
  const userid = useCurrentAccount()?.userid ?? ''
  const list = useListSearch(activitySearch)
  const { search } = list
  const query = useActivity(search)
  const filters = useActivityFilters(userid, list)
  usePageTitle(t('activity.title'))
  const { data } = query
  const object = data?.records.find((record) => record.object.id === search.object)?.object.name ?? search.object
  return (
    <>
      <PageHeader
        title={t('activity.title')}
        actions={
          <ExportButton
            path={auditExportPath}
            body={() => filterOf(search, Date.now())}
            name="activity"
            disabled={data === undefined || data.rowsNumber === 0}
          />
        }
      >
        {data && t('activity.count', { count: data.rowsNumber })}
      </PageHeader>
      <FilterBar filters={filters}>
        {object !== undefined && (
          <Button
            rightSection={<IconX size={15} stroke={1.6} aria-hidden="true" />}
            aria-label={t('common.labelled', {
              label: t('activity.onlyObject', { name: object }),
              value: t('activity.showAll'),
            })}
            onClick={() => list.set('object', undefined)}
          >
            {t('activity.onlyObject', { name: object })}
          </Button>
        )}
      </FilterBar>
      <ActivityTable userid={userid} query={query} list={list} />
    </>
  )
}

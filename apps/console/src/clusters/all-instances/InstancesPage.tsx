import { countRows, countUnreadable } from '@atoll/contract/wire'
import { PageHeader } from '@atoll/ui'
import { IconCircles } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useInit } from '../../data/home-queries.ts'
import { FilterMenu } from '../../kit/menu/FilterMenu.tsx'
import { ShowMore, useFirstRows } from '../../kit/page/ShowMore.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { TableCard } from '../../kit/table/TableCard.tsx'
import { useText } from '../../locales/text.ts'
import { InstanceTable } from '../instance-table/InstanceTable.tsx'
import type { ShownInstance } from '../instance-table/shown-instance.ts'
import { UserFilter } from '../UserFilter.tsx'
import { InstancesEmpty } from './InstancesEmpty.tsx'
import classes from './InstancesPage.module.css'
import { InstancesSummary } from './InstancesSummary.tsx'
import { type InstancesSearch, instancesSearch } from './instances-search.ts'
import { useInstances } from './use-instances.ts'

/** Every instance of every cluster that the account may see, live (spec §2, `/instance` and `/instanceMobile`). */
export function InstancesPage() {
  const t = useText()
  const navigate = useNavigate()
  const { rows, clusters, error, updatedAt, stale, retry } = useInstances()
  usePageTitle(t('instances.title'))
  const users = useInit().data?.clusterUserAndPeriod.clusterUser ?? []
  const search = instancesSearch(useSearch({ strict: false }))
  // Owners and clusters that are gone filter nothing.
  const user = users.some((owner) => owner.userid === search.user) ? search.user : undefined
  const ofUser = clusters.filter(({ owner }) => !user || owner.userid === user)
  const cluster = ofUser.some(({ clusterId }) => clusterId === search.cluster) ? search.cluster : undefined
  const shown =
    rows &&
    countUnreadable(
      rows.filter(
        (row) => (!user || row.cluster.owner.userid === user) && (!cluster || row.cluster.clusterId === cluster),
      ),
      rows,
    )
  const first = useFirstRows(shown ?? [])
  const empty = countRows(rows) === 0
  const filter = (next: InstancesSearch) => void navigate({ to: '.', search: () => next, replace: true })

  return (
    <>
      <PageHeader
        title={t('instances.title')}
        actions={
          !empty && (
            <>
              <UserFilter users={users} user={user} onChoose={(chosen) => filter(chosen ? { user: chosen } : {})} />
              {ofUser.length > 1 && (
                <FilterMenu
                  label={t('instances.filterClusters')}
                  icon={IconCircles}
                  all={t('instances.allClusters')}
                  options={ofUser.map(({ clusterId, name }) => ({ value: clusterId, label: name }))}
                  value={cluster}
                  onChoose={(chosen) => filter({ ...(user && { user }), ...(chosen && { cluster: chosen }) })}
                />
              )}
            </>
          )
        }
      >
        {shown && !empty && <InstancesSummary rows={shown} stale={stale} updatedAt={updatedAt} />}
      </PageHeader>
      <TableCard
        rows={countRows(shown)}
        isFiltered={!empty}
        error={error}
        updatedAt={updatedAt}
        onRetry={retry}
        errorTitle={t('instances.errorTitle')}
        empty={<InstancesEmpty />}
      >
        <InstanceTable rows={countUnreadable(first.rows, shown)} cluster={clusterLink} stale={stale} />
      </TableCard>
      <ShowMore hidden={first.hidden} onShow={first.showMore} />
    </>
  )
}

function clusterLink({ cluster: { clusterId, name } }: ShownInstance) {
  return (
    <Link to="/cluster/$clusterId" params={{ clusterId }} className={classes.cluster ?? ''}>
      {name}
    </Link>
  )
}

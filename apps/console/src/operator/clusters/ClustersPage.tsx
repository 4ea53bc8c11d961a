import { clusterGroups, type StaffCluster, staffClustersPage } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { EmptyState, PageHeader, StatusBadge } from '@atoll/ui'
import { formatFigure } from '@atoll/ui/i18n'
import { IconFilter } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatUptime } from '../../kit/format/times.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { choiceFilter } from '../../kit/table/choice-filter.ts'
import { type Column, DataTable } from '../../kit/table/DataTable.tsx'
import { FilterBar } from '../../kit/table/FilterBar.tsx'
import { FindField } from '../../kit/table/FindField.tsx'
import { defineListSearch, oneOf } from '../../kit/table/list-search.ts'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { type TextKey, useLocale, useText } from '../../locales/text.ts'
import classes from './Clusters.module.css'

const search = defineListSearch({
  find: { safeParse: (value) => ({ data: typeof value === 'string' && value !== '' ? value : undefined }) },
  group: oneOf(clusterGroups),
})

const groupTexts: Record<(typeof clusterGroups)[number], TextKey> = {
  stuck: 'operator.groupStuck',
  working: 'operator.groupWorking',
  running: 'operator.groupRunning',
  stopped: 'operator.groupStopped',
  offline: 'operator.groupOffline',
  waiting: 'operator.groupWaiting',
}

/** Staff are told of what is stuck, not of every change of a customer's cluster, ms. */
const againMs = 15_000

/** Every cluster of every customer, the stuck first. */
export function ClustersPage() {
  const t = useText()
  const list = useListSearch(search)
  const { find, group, page = 1 } = list.search
  const filter = { ...(find && { search: find }), ...(group && { group }) }
  const live = { refetchInterval: againMs } as const
  const query = useCall(staffClustersPage, { ...filter, page }, { ...live, placeholderData: keepPreviousData })
  const showsStuck = !group && !find && page === 1
  const locale = useLocale()
  const stuck = useCall(staffClustersPage, { group: 'stuck' }, { ...live, enabled: showsStuck })
  const columns = useColumns()
  usePageTitle(t('operator.clusters'))
  useCrumb(t('operator.clusters'))
  return (
    <>
      <PageHeader title={t('operator.clusters')}>
        {query.data &&
          t(query.data.isAbout ? 'operator.clustersAbout' : 'operator.clustersCount', {
            count: query.data.rowsNumber,
            figure: formatFigure(query.data.rowsNumber, 0, locale),
          })}
      </PageHeader>
      <FindField label={t('operator.findCluster')} found={find} onFind={(words) => list.set('find', words)} />
      <FilterBar
        filters={[
          choiceFilter({
            label: t('operator.state'),
            icon: IconFilter,
            all: t('operator.anyState'),
            values: clusterGroups,
            labelOf: (value) => t(groupTexts[value]),
            value: group,
            onChoose: (value) => list.set('group', value),
          }),
        ]}
      />
      {showsStuck && stuck.data && stuck.data.clusters.length > 0 && (
        <section className={classes.stuck} aria-label={t('operator.groupStuck')}>
          <h2 className={classes.title}>
            {t('operator.groupStuck')} <span className="quiet num">{stuck.data.rowsNumber}</span>
          </h2>
          <div className="box clip">
            <DataTable
              label={t('operator.groupStuck')}
              rows={stuck.data.clusters}
              rowKey={({ clusterId }) => clusterId}
              columns={columns}
            />
          </div>
          <h2 className={classes.title}>{t('operator.allClusters')}</h2>
        </section>
      )}
      <PagedTable
        label={t('operator.clusters')}
        query={query}
        rows={({ clusters }) => clusters}
        rowKey={({ clusterId }) => clusterId}
        list={list}
        errorTitle={t('operator.clustersError')}
        empty={
          <EmptyState title={t(group === 'stuck' ? 'operator.noneStuck' : 'operator.clustersNone')}>
            {t('operator.clustersNoneText')}
          </EmptyState>
        }
        columns={columns}
      />
    </>
  )
}

function useColumns(): Column<StaffCluster>[] {
  const t = useText()
  const locale = useLocale()
  const now = useNow(againMs)
  return [
    {
      header: t('operator.cluster'),
      cell: ({ name, clusterId }) => (
        <CellLines
          main={
            <Link to="/operator/{-$section}/{-$object}" params={{ section: 'clusters', object: clusterId }}>
              {name}
            </Link>
          }
          second={<span className="mono">{clusterId}</span>}
        />
      ),
      leads: true,
      phone: 'first',
    },
    {
      header: t('operator.customer'),
      cell: ({ person }) => displayName(person),
      width: '20%',
      phone: 'none',
    },
    {
      header: t('operator.state'),
      cell: ({ status, reason, isStuck }) => (
        <CellLines
          main={<StatusBadge status={status} locale={locale} bare />}
          second={reason && <span className={isStuck ? classes.wrong : undefined}>{reason}</span>}
        />
      ),
      width: '30%',
      phone: 'second',
    },
    {
      header: t('operator.since'),
      cell: ({ since }) => (
        <time className="num" dateTime={since} title={since}>
          {formatUptime(Math.max(0, now - Date.parse(since)), locale)}
        </time>
      ),
      width: '9%',
      isQuiet: true,
      phone: 'first-end',
    },
    {
      header: t('operator.where'),
      cell: ({ regionId, cloudName }) => (regionId ? <CellLines main={regionId} second={cloudName} /> : <NoValue />),
      width: '11%',
      isQuiet: true,
      phone: 'none',
    },
    {
      header: t('operator.version'),
      cell: ({ version, agentVersion }) => (
        <CellLines main={version ?? '–'} second={agentVersion && t('operator.agentOf', { version: agentVersion })} />
      ),
      width: '12%',
      isQuiet: true,
      phone: 'none',
    },
  ]
}

import type { Resource } from '@atoll/contract/clusters'
import { PageHeader, StatusBadge, useDelayed } from '@atoll/ui'
import { useEffect, useEffectEvent } from 'react'
import { readLeft } from '../../billing/shared/pay-with/left-for-card.ts'
import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { StaleNotice } from '../../kit/page/StaleNotice.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ActionButtons } from '../actions/ActionButtons.tsx'
import { useClusterDialogs } from '../actions/cluster-dialogs-context.ts'
import { useClusterActions } from '../actions/use-cluster-actions.ts'
import { workerChoices } from '../actions/worker-choices.ts'
import { ClusterAddress } from '../card/ClusterAddress.tsx'
import { ClusterFacts } from '../card/ClusterFacts.tsx'
import { ClusterNotices } from '../card/ClusterNotices.tsx'
import { isLost } from '../card/is-lost.ts'
import { LimitedBadge } from '../card/LimitedBadge.tsx'
import { OpenLink } from '../card/OpenLink.tsx'
import classes from '../frame/ClusterPage.module.css'
import type { ClusterTab } from '../frame/cluster-search.ts'
import { useClusters } from '../use-clusters.ts'
import { ClusterSections } from './ClusterSections.tsx'
import { ClusterSkeleton } from './ClusterSkeleton.tsx'

/** One cluster, in tabs: what is going on and its instances; its history; the way in; what cannot be undone. */
export function ClusterPage({ clusterId, tab }: { clusterId: string; tab: ClusterTab }) {
  const t = useText()
  const { clusters, error, updatedAt, stale, retry } = useClusters()
  const cluster = clusters?.find((known) => known.clusterId === clusterId)
  const skeleton = useDelayed(!clusters && !error)
  usePageTitle(cluster?.name ?? t('detail.loadingTitle'))

  if (cluster) {
    return (
      <>
        {error && <StaleNotice error={error} updatedAt={updatedAt} onRetry={retry} />}
        <ClusterView cluster={cluster} tab={tab} stale={stale} />
      </>
    )
  }
  if (clusters) {
    return (
      <ObjectGone title={t('detail.goneTitle')} to={{ page: '/', label: t('detail.goneBack') }}>
        {t('detail.gone')}
      </ObjectGone>
    )
  }
  if (error) {
    return <LoadFailure page={t('detail.loadingTitle')} title={t('home.errorTitle')} error={error} onRetry={retry} />
  }
  return skeleton ? <ClusterSkeleton /> : null
}

interface ClusterViewProps {
  cluster: Resource
  tab: ClusterTab
  stale: boolean
}

function ClusterView({ cluster, tab, stale }: ClusterViewProps) {
  const t = useText()
  const locale = useLocale()
  const { actions, explained, offered, failure, dismissFailure } = useClusterActions(cluster)
  const dialogs = useClusterDialogs()
  // Back from adding a card: the dialog that was left for it is open again.
  const reopen = useEffectEvent(() => {
    if (workerChoices(readLeft()?.choices)) dialogs.open('addWorker', cluster)
  })
  useEffect(reopen, [])
  // The overview offers the way back from a backup first, and says what starting empty means.
  const buttons = isLost(cluster) ? actions.filter(({ key }) => key !== 'repair') : actions
  return (
    <>
      <PageHeader
        title={cluster.name}
        badge={
          <>
            <StatusBadge status={cluster.status} locale={locale} stale={stale} />
            <LimitedBadge cluster={cluster} />
          </>
        }
        actions={
          <>
            <OpenLink cluster={cluster} size={36} />
            <ActionButtons actions={buttons} size={36} filled />
            {offered.length > 0 && (
              <ActionMenu actions={offered} size={36} label={t('common.more', { name: cluster.name })} />
            )}
          </>
        }
      >
        <ClusterFacts cluster={cluster}>
          {cluster.url && <ClusterAddress key="address" cluster={cluster} form="line" />}
        </ClusterFacts>
      </PageHeader>
      <div className={classes.notices}>
        <ClusterNotices
          cluster={cluster}
          failure={failure}
          onDismiss={dismissFailure}
          showsWorkers={tab === 'overview'}
        />
      </div>
      <ClusterSections cluster={cluster} tab={tab} actions={explained} stale={stale} />
    </>
  )
}

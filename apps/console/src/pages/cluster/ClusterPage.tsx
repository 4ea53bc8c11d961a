import type { Resource } from '@atoll/contract'
import { ErrorState, PageHeader, StatusBadge, useDelayed } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useCurrentAccount } from '../../accounts/account-store.ts'
import { useClusters } from '../../api/use-clusters.ts'
import { ActionButtons } from '../../components/actions/ActionButtons.tsx'
import { ActionMenu } from '../../components/actions/ActionMenu.tsx'
import { useClusterActions } from '../../components/actions/use-cluster-actions.ts'
import { CopyDetailsButton } from '../../components/CopyDetailsButton.tsx'
import { ClusterAddress } from '../../components/cluster/ClusterAddress.tsx'
import { ClusterFacts } from '../../components/cluster/ClusterFacts.tsx'
import { ClusterNotices } from '../../components/cluster/ClusterNotices.tsx'
import { OpenLink } from '../../components/cluster/OpenLink.tsx'
import { StaleNotice } from '../../components/StaleNotice.tsx'
import { usePageTitle } from '../../components/use-page-title.ts'
import { useLocale, useText } from '../../i18n/text.ts'
import { ClusterGone } from './ClusterGone.tsx'
import classes from './ClusterPage.module.css'
import { ClusterSections } from './ClusterSections.tsx'
import { ClusterSkeleton } from './ClusterSkeleton.tsx'

/** One cluster: what is going on, its instances, its history, and the danger zone. */
export function ClusterPage({ clusterId }: { clusterId: string }) {
  const t = useText()
  const userid = useCurrentAccount()?.userid ?? ''
  const { clusters, error, updatedAt, retry } = useClusters(userid)
  const cluster = clusters?.find((known) => known.clusterId === clusterId)
  const skeleton = useDelayed(!clusters && !error)
  usePageTitle(cluster?.name ?? t('detail.loadingTitle'))

  if (cluster) {
    return (
      <>
        {error && <StaleNotice error={error} updatedAt={updatedAt} onRetry={retry} />}
        <ClusterView cluster={cluster} userid={userid} stale={error !== null} />
      </>
    )
  }
  if (clusters) return <ClusterGone />
  if (error) {
    return (
      <ErrorState
        title={t('home.errorTitle')}
        actions={
          <>
            <Button size="xs" onClick={retry}>
              {t('failure.retry')}
            </Button>
            <CopyDetailsButton error={error} />
          </>
        }
      >
        {error.message}
      </ErrorState>
    )
  }
  return skeleton ? <ClusterSkeleton /> : null
}

function ClusterView({ cluster, userid, stale }: { cluster: Resource; userid: string; stale: boolean }) {
  const t = useText()
  const locale = useLocale()
  const { actions, failure, dismissFailure } = useClusterActions(cluster)
  return (
    <>
      <PageHeader
        title={cluster.name}
        badge={<StatusBadge status={cluster.status} locale={locale} stale={stale} />}
        actions={
          <>
            <OpenLink cluster={cluster} size={36} />
            <ActionButtons actions={actions} size={36} />
            {actions.length > 0 && (
              <ActionMenu actions={actions} size={36} label={t('common.more', { name: cluster.name })} />
            )}
          </>
        }
      >
        <ClusterFacts cluster={cluster}>
          {cluster.url && <ClusterAddress key="address" cluster={cluster} form="line" />}
        </ClusterFacts>
      </PageHeader>
      <div className={classes.sections}>
        <ClusterNotices cluster={cluster} failure={failure} onDismiss={dismissFailure} />
        <ClusterSections cluster={cluster} userid={userid} actions={actions} />
      </div>
    </>
  )
}

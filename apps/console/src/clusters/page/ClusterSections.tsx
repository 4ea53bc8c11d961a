import { instanceDetails, type Operation, type Resource, type ResourceDetail } from '@atoll/contract/clusters'
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCall } from '../../data/use-call.ts'
import type { Action } from '../../kit/menu/action.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { loadMonitoringTexts } from '../../locales/language.ts'
import { useText } from '../../locales/text.ts'
import { isLost } from '../card/is-lost.ts'
import { isAwaitingHost, parseInstallLog } from '../card/progress-steps.ts'
import type { ClusterTab } from '../frame/cluster-search.ts'
import { OperationPanel } from '../operations/OperationPanel.tsx'
import { OperationsSection } from '../operations/OperationsSection.tsx'
import { OrderSection, OverdueSection } from '../order/OrderSection.tsx'
import { orderOf, overdueOf } from '../order/order-of.ts'
import { RestorePanel } from '../restore/RestorePanel.tsx'
import { WorkloadsSection } from '../workloads/WorkloadsSection.tsx'
import { AboutSection } from './AboutSection.tsx'
import { AccessSection } from './access/AccessSection.tsx'
import { ClusterTabs } from './ClusterTabs.tsx'
import { groupOperations } from './group-operations.ts'
import { HostPanel } from './HostPanel.tsx'
import { InstallSection } from './InstallSection.tsx'
import { InstancesSection } from './InstancesSection.tsx'
import { LazyPanel } from './LazyPanel.tsx'
import { OfflineSection } from './OfflineSection.tsx'
import { SettingsSection } from './SettingsSection.tsx'
import { UsageSection } from './UsageSection.tsx'
import { WorkersPanel } from './WorkersPanel.tsx'

const loadMonitoring = async () => {
  const [{ MonitoringPanel }] = await Promise.all([import('../monitoring/MonitoringPanel.tsx'), loadMonitoringTexts()])
  return MonitoringPanel
}
const loadCopies = async () => (await import('./CopiesSection.tsx')).CopiesSection
const loadBackups = async () => (await import('../../backups/list/ClusterBackups.tsx')).ClusterBackups
const loadLost = async () => (await import('../restore/LostSection.tsx')).LostSection
const loadNetwork = async () => (await import('../network/NetworkTab.tsx')).NetworkTab

interface ClusterSectionsProps {
  cluster: Resource
  tab: ClusterTab
  actions: Action[]
  stale: boolean
}

/** The parts of a cluster's page. Instances and history come with a call of their own and fail on their own. */
export function ClusterSections({ cluster, tab, actions, stale }: ClusterSectionsProps) {
  const t = useText()
  const { data, error, refetch } = useCall(instanceDetails, { clusterId: cluster.clusterId })
  const order = orderOf(cluster)
  const overdue = overdueOf(cluster)
  const running = runningOperations(cluster, data?.operations)
  // Where it failed is what one comes for; else the log stands in the history.
  const failedToInstall =
    cluster.status === 'errored' && parseInstallLog(cluster.installLog).some(({ state }) => state === 'failed')
  const withDetails = (draw: (details: ResourceDetail) => ReactNode) => {
    if (data) return draw(data)
    if (!error) return <Skeleton height={160} radius={10} />
    return <LoadFailure title={t('detail.detailsErrorTitle')} error={error} onRetry={refetch} />
  }
  return (
    <ClusterTabs
      tab={tab}
      panels={{
        overview: (
          <>
            {order && <OrderSection order={order} />}
            {overdue && <OverdueSection bill={overdue} />}
            {isAwaitingHost(cluster) && <HostPanel cluster={cluster} />}
            <UnreadableRows of={cluster.copies} />
            {cluster.copies.map((copies) => (
              <LazyPanel key={copies.instanceId} load={loadCopies} props={{ cluster, copies }} />
            ))}
            {isLost(cluster) && <LazyPanel load={loadLost} props={{ cluster, actions }} />}
            {isAwayHost(cluster) && <OfflineSection cluster={cluster} />}
            {isRestored(cluster) && <RestorePanel cluster={cluster} />}
            {groupOperations(running, cluster.instanceId).map(([first, ...others]) =>
              first && others.length > 0 ? (
                <WorkersPanel
                  key={first.kind}
                  cluster={cluster}
                  operations={[first, ...others]}
                  instances={data?.data ?? []}
                  stale={stale}
                />
              ) : (
                first && (
                  <OperationPanel
                    key={first.operationId}
                    cluster={cluster}
                    operation={first}
                    instances={data?.data ?? []}
                    stale={stale}
                  />
                )
              ),
            )}
            {failedToInstall && <InstallSection cluster={cluster} />}
            <UsageSection cluster={cluster} stale={stale} />
            {withDetails((details) => (
              <InstancesSection cluster={cluster} details={details} actions={actions} stale={stale} />
            ))}
            {data && <WorkloadsSection instances={data.data} stale={stale} />}
            <AboutSection cluster={cluster} />
          </>
        ),
        monitoring: <LazyPanel load={loadMonitoring} props={{ cluster, instances: data?.data, stale }} />,
        backups: <LazyPanel load={loadBackups} props={{ clusterId: cluster.clusterId }} />,
        network: <LazyPanel load={loadNetwork} props={{ cluster }} />,
        history: (
          <>
            <InstallSection cluster={cluster} />
            {withDetails(({ operations, data: instances }) => (
              <OperationsSection operations={operations} instances={instances} />
            ))}
          </>
        ),
        access: withDetails((details) => <AccessSection cluster={cluster} details={details} actions={actions} />),
        settings: (
          <SettingsSection cluster={cluster} actions={actions} instances={data?.data ?? (error ? [] : undefined)} />
        ),
      }}
    />
  )
}

/** It is being made of a backup. */
function isRestored({ status, operation }: Resource): boolean {
  return status === 'restore_error' || (operation?.steps.some(({ step }) => step === 'restoring') ?? false)
}

/** The running operation: the cluster's own first, from the list, which is there before the details are. */
function runningOperations({ operation, ...cluster }: Resource, operations: Operation[] = []): Operation[] {
  const own = operation ? [operation] : []
  const others = operations.filter(
    ({ state, operationId }) => state === 'running' && operationId !== operation?.operationId,
  )
  // While the host is awaited, its panel says all there is to say.
  return [...own, ...others].filter(({ kind }) => !(kind === 'create' && isAwaitingHost(cluster)))
}

/** A host that may come back: one that was given up is not waited for. */
function isAwayHost({ status, clusterType, givenUpAt }: Resource): boolean {
  return status === 'offline' && clusterType === 'SelfHost' && givenUpAt === null
}

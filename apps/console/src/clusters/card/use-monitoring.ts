import {
  type ClusterMonitor,
  clusterMonitor,
  findMissingCondition,
  type MonitorCondition,
  type Resource,
} from '@atoll/contract/clusters'
import { defaultMonitorRange, type MonitorRange } from '@atoll/contract/wire'
import { initQuery } from '../../data/home-queries.ts'
import { queryClient } from '../../data/query-client.ts'
import { useCall } from '../../data/use-call.ts'
import { useFirstIdle } from '../../kit/browser/first-idle.tsx'
import { useVisible } from '../../kit/browser/use-visible.ts'
import { useCurrentAccount } from '../../session/account-store.ts'

export interface MonitoringOptions {
  range?: MonitorRange
  /** Undefined: the master, and the workers together. */
  instanceId?: string | undefined
  /** Between two answers, ms. */
  everyMs: number
}

export interface Monitoring {
  /** The newest answer; stays while there is none. */
  monitor: ClusterMonitor | undefined
  /** When it came, this device's time, ms. */
  answeredAt: number
  /** The reason why nothing is asked; undefined while it is. A load in progress is not named: it ends. */
  missing: MonitorCondition | undefined
  error: Error | null
  retry: () => Promise<unknown>
}

/**
 * Measurements of a cluster and its usage. They are asked for only while all five conditions of the specification hold
 * (§4, "Monitoring"), and never behind another tab.
 */
export function useMonitoring(
  { clusterId, clusterStatus }: Pick<Resource, 'clusterId' | 'clusterStatus'>,
  { range = defaultMonitorRange, instanceId, everyMs }: MonitoringOptions,
): Monitoring {
  const account = useCurrentAccount()
  const visible = useVisible()
  const isIdle = useFirstIdle()
  const missingWhile = (loading: boolean) =>
    findMissingCondition({
      initialized: queryClient.getQueryData(initQuery(account?.userid ?? '').queryKey) !== undefined,
      running: clusterStatus === 'running',
      clusterId,
      account,
      loading,
    })
  const { data, error, refetch, dataUpdatedAt } = useCall(
    clusterMonitor,
    { clusterId, range, ...(instanceId !== undefined && { instanceId }) },
    {
      enabled: ({ state }) => visible && isIdle && missingWhile(state.fetchStatus !== 'idle') === undefined,
      staleTime: everyMs,
      refetchInterval: everyMs,
    },
  )
  return { monitor: data, answeredAt: dataUpdatedAt, missing: missingWhile(false), error, retry: refetch }
}

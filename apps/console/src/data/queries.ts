/**
 * What the pages ask for. Keys begin with the account, so that one account's data never shows under another's name.
 */
import {
  clusterMonitor,
  instanceDetails,
  instanceList,
  type Resource,
  resourceInitNew,
  resourceList,
} from '@atoll/contract/clusters'
import { type CallData, defaultMonitorRange } from '@atoll/contract/wire'
import { queryOptions } from '@tanstack/react-query'
import { editAccount, findAccount } from '../session/account-store.ts'
import { callApi } from './client.ts'
import { takeInitAhead } from './init-ahead.ts'
import { queryClient } from './query-client.ts'

export const queryKeys = {
  account: (userid: string) => [userid] as const,
  init: (userid: string) => [userid, 'init'] as const,
  clusters: (userid: string) => [userid, 'clusters'] as const,
  instances: (userid: string) => [userid, 'instances'] as const,
  activity: (userid: string) => [userid, 'activity'] as const,
  allDetails: (userid: string) => [userid, 'details'] as const,
  details: (userid: string, clusterId: string) => [userid, 'details', clusterId] as const,
  activation: (userid: string, clusterId: string) => [userid, 'activation', clusterId] as const,
  monitor: (userid: string, clusterId: string) => [userid, 'monitor', clusterId] as const,
}

export type Init = CallData<typeof resourceInitNew>

/**
 * The home page in one call; its list of clusters is the first of the query below. Later ones are asked for on their
 * own: one that came with a slower question must not take the place of a newer one.
 */
export function initQuery(userid: string) {
  return queryOptions({
    queryKey: queryKeys.init(userid),
    queryFn: async ({ signal }): Promise<Init> => {
      const init = await (takeInitAhead(findAccount(userid)) ?? callApi(resourceInitNew, {}, signal))
      const list = queryKeys.clusters(userid)
      if (queryClient.getQueryData(list) === undefined) queryClient.setQueryData<Resource[]>(list, init.resourceData)
      editAccount(userid, init.user)
      return init
    },
    staleTime: 5 * 60_000,
  })
}

/** Asks for what `initQuery` shows when it was not asked for yet; whoever shows it tells when that failed. */
export async function prefetchInit(userid: string): Promise<void> {
  if (queryClient.getQueryState(queryKeys.init(userid))) return
  await queryClient.prefetchQuery(initQuery(userid))
}

export function clustersQuery(userid: string) {
  return queryOptions({
    queryKey: queryKeys.clusters(userid),
    queryFn: ({ signal }) => callApi(resourceList, {}, signal),
  })
}

/**
 * The list on a page that `init` fills first: once there was an answer it is asked for on its own, also while the next
 * one fails.
 */
export function clustersAfter(userid: string, init: Init | undefined) {
  return queryOptions({ ...clustersQuery(userid), enabled: init !== undefined })
}

export function detailsQuery(userid: string, clusterId: string) {
  return queryOptions({
    queryKey: queryKeys.details(userid, clusterId),
    queryFn: ({ signal }) => callApi(instanceDetails, { clusterId }, signal),
  })
}

/** Every instance of every cluster that the account may see. */
export function instancesQuery(userid: string) {
  return queryOptions({
    queryKey: queryKeys.instances(userid),
    queryFn: ({ signal }) => callApi(instanceList, {}, signal),
  })
}

/** Measurements as far back as is shown at first, and the usage against quota. */
export function monitorQuery(userid: string, clusterId: string) {
  return queryOptions({
    queryKey: queryKeys.monitor(userid, clusterId),
    queryFn: ({ signal }) => callApi(clusterMonitor, { clusterId, range: defaultMonitorRange }, signal),
    staleTime: 60_000,
  })
}

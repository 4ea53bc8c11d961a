/**
 * The home page in one call, and the list of clusters that is first filled from it. The only queries that are more than
 * `useCall`: the early script has asked the first one, and one answer fills two.
 */
import { type Resource, resourceInitNew, resourceList } from '@atoll/contract/clusters'
import type { CallData } from '@atoll/contract/wire'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { currentLocale } from '../locales/language.ts'
import type { Account } from '../session/account.ts'
import { editAccount, findAccount, useCurrentAccount } from '../session/account-store.ts'
import { callApi, readAsked } from './client.ts'
import { queryClient } from './query-client.ts'
import { callQuery, useLastingQuery } from './use-call.ts'
import { callTimeoutMs } from './whole-response.ts'

export type Init = CallData<typeof resourceInitNew>

export function initQuery(userid: string) {
  return queryOptions<Init>({
    ...callQuery(userid, resourceInitNew, {}),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now()
      const init = await (takeInitAhead(findAccount(userid)) ?? callApi(resourceInitNew, {}, signal))
      const { queryKey } = clustersQuery(userid)
      // A list that was answered since is newer than the one that came with this.
      if ((queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0) <= askedAt)
        queryClient.setQueryData(queryKey, init.resourceData)
      editAccount(userid, init.user)
      return init
    },
    staleTime: 5 * 60_000,
  })
}

/** When the clusters have more or fewer cores than before, how much of the quota is used changed too. */
export function clustersQuery(userid: string) {
  const query = callQuery(userid, resourceList, {})
  return queryOptions<Resource[]>({
    ...query,
    queryFn: async ({ signal }) => {
      const before = countCores(queryClient.getQueryData<Resource[]>(query.queryKey))
      const clusters = await callApi(resourceList, {}, signal)
      if (before !== undefined && countCores(clusters) !== before)
        void queryClient.invalidateQueries({ queryKey: initQuery(userid).queryKey })
      return clusters
    },
  })
}

function countCores(clusters: Resource[] | undefined): number | undefined {
  return clusters?.reduce((sum, cluster) => sum + cluster.cpuCoreTotalCount, 0)
}

/** Everything the home page needs, and much of what the others name things by. */
export function useInit() {
  return useLastingQuery(initQuery(useCurrentAccount()?.userid ?? ''))
}

/** The list, asked for on its own once `init` has filled it, also while the next `init` fails. */
export function useClusterList(init: Init | undefined) {
  const userid = useCurrentAccount()?.userid ?? ''
  return useQuery({ ...clustersQuery(userid), enabled: init !== undefined })
}

/** Asks for `init` if it was not asked for yet; the component that shows it reports a failure. */
export async function prefetchInit(userid: string): Promise<void> {
  const query = initQuery(userid)
  if (!queryClient.getQueryState(query.queryKey)) await queryClient.prefetchQuery(query)
}

/**
 * The answer to the question that the early script asked for this session, once; undefined when it was asked for
 * another, in another language, too long ago or not at all. A page that shows nobody's data may be the first, and left
 * after an hour.
 */
export function takeInitAhead(account: Account | undefined): Promise<Init> | undefined {
  const taken = globalThis.earlyInit
  globalThis.earlyInit = undefined
  // The early question was asked as the staff member who looks.
  if (!account || account.look || taken?.token !== account.token || taken.locale !== currentLocale()) return undefined
  if (Date.now() - taken.askedAt > callTimeoutMs) return undefined
  return readAsked(resourceInitNew, { ...taken, account, follows: false })
}

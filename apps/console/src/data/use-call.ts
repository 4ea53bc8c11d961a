/**
 * The console's one way to read: `useCall(instanceDetails, { clusterId })`. The query's key is the account, the call
 * and its body, so that no account's data shows under another's name; the call's topics say which changes invalidate
 * it.
 */
import type { Call, CallData, CallRequest, EventTopic, RateName } from '@atoll/contract/wire'
import { hashKey, type QueryKey, queryOptions, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentAccount } from '../session/account-store.ts'
import { callApi } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { topics?: readonly EventTopic[] | undefined; rate?: RateName }
  }
}

type Options<Data> = Pick<
  UseQueryOptions<Data>,
  'enabled' | 'staleTime' | 'gcTime' | 'placeholderData' | 'refetchInterval'
>

/** The query of `call` with `body`, for code that reads or writes the cache without a component. */
export function callQuery<C extends Call>(userid: string, call: C, body: CallRequest<C>) {
  return queryOptions<CallData<C>>({
    queryKey: [userid, call.name, body],
    // A body of a reading call has no key that could be missing.
    queryFn: ({ signal }) => callApi(call, body as Parameters<typeof callApi<C>>[1], signal),
    meta: { topics: call.topics, rate: call.rate },
  })
}

/** The answer of `call` to `body`, live; `options` are those of the library. */
export function useCall<C extends Call>(call: C, body: CallRequest<C>, options: Options<CallData<C>> = {}) {
  const userid = useCurrentAccount()?.userid ?? ''
  return useLastingQuery({ ...callQuery(userid, call, body), ...options })
}

/**
 * `useQuery` whose `error` stays until there is data. The library forgets it as often as the query is retried in the
 * background, and the page that says so would give way to an empty one each time.
 */
export function useLastingQuery<Data, Key extends QueryKey>(options: UseQueryOptions<Data, Error, Data, Key>) {
  const query = useQuery(options)
  const { data, error, refetch } = query
  const name = hashKey(options.queryKey)
  const [last, setLast] = useState<{ name: string; error: Error }>()
  if (error && last?.error !== error) setLast({ name, error })
  const lasting = data === undefined && last?.name === name ? last.error : null
  return {
    data,
    error: error ?? lasting,
    refetch,
    // Components that do not read it are not drawn again for it.
    get dataUpdatedAt() {
      return query.dataUpdatedAt
    },
    /** The data is another question's. */
    get isPlaceholderData() {
      return query.isPlaceholderData
    },
  }
}

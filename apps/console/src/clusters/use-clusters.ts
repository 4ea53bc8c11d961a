import type { Resource } from '@atoll/contract/clusters'
import { isSilent } from '../data/call-failure.ts'
import { useClusterList, useInit } from '../data/home-queries.ts'
import { useOnline } from '../kit/browser/use-online.ts'

export interface Clusters {
  /** Undefined until the first answer; stays what it was while it is refetched, also when that fails. */
  clusters: Resource[] | undefined
  /** Why the newest question failed. */
  error: Error | null
  /** When the clusters shown were answered, this device's time, ms. */
  updatedAt: number
  /** There are clusters, and they are what we last knew: the newest question failed, or there is no network. */
  stale: boolean
  retry: () => Promise<unknown>
}

/** The account's clusters: first from the call that fills the home page, then from the list, live. */
export function useClusters(): Clusters {
  const init = useInit()
  const list = useClusterList(init.data)
  const online = useOnline()
  const error = newestError(list.data !== undefined, list.error ?? (list.data ? null : init.error))
  return {
    clusters: list.data,
    error,
    updatedAt: list.dataUpdatedAt,
    stale: list.data !== undefined && (error !== null || !online),
    retry: () => (init.data ? list.refetch() : init.refetch()),
  }
}

/** With clusters on the screen a silent failure is passed over; without, something has to be said. */
function newestError(shown: boolean, error: Error | null): Error | null {
  return shown && error && isSilent(error) ? null : error
}

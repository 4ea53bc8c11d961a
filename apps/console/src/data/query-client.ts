import { backoffMs, lacksRows } from '@atoll/contract/wire'
import { notifyManager, QueryClient, replaceEqualDeep } from '@tanstack/react-query'
import { CallFailure } from './call-failure.ts'

/** Only a network failure is worth a retry; a refusal would be the same. */
const retries = 2

/** One cache for the signed-in part. Shown data stays shown while it is refetched. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      // A copy of a list would not know how many rows of it could not be read.
      structuralSharing: (old, data) => (lacksRows(data) ? data : replaceEqualDeep(old, data)),
      refetchOnWindowFocus: true,
      networkMode: 'always',
      // Asked while there was no network, it failed; asked before, it may be old.
      refetchOnReconnect: 'always',
      retry: (failures, error) => failures < retries && error instanceof CallFailure && error.kind === 'network',
      retryDelay: (failures) => backoffMs(failures + 1, { firstMs: 400, longestMs: 2000 }),
    },
    mutations: { networkMode: 'always' },
  },
})

let due: (() => void)[] = []

/**
 * Simultaneous changes are notified together: the library's own timer for each would have the page drawn once for each.
 */
notifyManager.setScheduler((notify) => {
  due.push(notify)
  if (due.length > 1) return
  setTimeout(() => {
    const batch = due
    due = []
    for (const notifyOne of batch) {
      try {
        notifyOne()
      } catch (error) {
        // As with the library's own timer: reported like any uncaught error, and the others are notified all the same.
        reportError(error)
      }
    }
  }, 0)
})

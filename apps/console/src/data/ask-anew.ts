import type { QueryFilters } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/**
 * Asks again for what stands under `filters` and is on the screen; resolves when the answers are there. A question
 * under way may be answered with what was true before, so it starts anew. A first answer, which a page waits for, is
 * let come, and asked for once more after it: the library joins such a question, and would take its answer for a fresh
 * one.
 */
export async function askAnew(filters: QueryFilters): Promise<void> {
  const firsts = queryClient
    .getQueryCache()
    .findAll(filters)
    .filter(({ state }) => state.data === undefined && state.fetchStatus !== 'idle')
  const once = queryClient.invalidateQueries(filters)
  const more = firsts.map(async ({ queryKey, promise }) => {
    // What failed is told by the page that waits for it.
    await promise?.catch(() => undefined)
    await queryClient.invalidateQueries({ queryKey, exact: true })
  })
  await Promise.all([once, ...more])
}

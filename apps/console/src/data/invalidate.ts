/**
 * A change invalidates every query whose call names its topic and, where the query's body names an object, that object;
 * one of money, whatever the body names.
 * A query under way may be answered with what was true before, so it is fetched once more after its answer; however
 * much changes meanwhile, once.
 */
import { type ChangeEvent, codes, type EventTopic } from '@atoll/contract/wire'
import type { Query, QueryFilters } from '@tanstack/react-query'
import { CallFailure, isUnanswered } from './call-failure.ts'
import { queryClient } from './query-client.ts'

/** Queries under way, for which something changed since they were sent. */
const changedMeanwhile = new WeakSet<Query>()

queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || (event.action.type !== 'success' && event.action.type !== 'error')) return
  // The answer that has just come must have reached its readers.
  if (changedMeanwhile.delete(event.query))
    queueMicrotask(() => invalidate({ queryKey: event.query.queryKey, exact: true }))
})

function invalidate(filters: QueryFilters): void {
  const queries = queryClient.getQueryCache().findAll(filters)
  const busy = new Set(queries.filter(({ state }) => state.fetchStatus === 'fetching'))
  for (const query of busy) changedMeanwhile.add(query)
  void queryClient.invalidateQueries({ ...filters, predicate: (query) => queries.includes(query) && !busy.has(query) })
}

/**
 * Figures move every 5 s, of many clusters one after the other; a query that shows them all is asked for as often as
 * one of them moves. An answer younger than this is new enough, ms.
 */
const newFiguresMs = 4000

/** The server published `change`. */
export function invalidateChanged(userid: string, { topic, id }: ChangeEvent): void {
  const since = topic === 'metrics' ? Date.now() - newFiguresMs : Number.POSITIVE_INFINITY
  invalidate({
    queryKey: [userid],
    predicate: (query) =>
      topic !== 'hello' &&
      namesTopic(query, [topic]) &&
      // A payment changes its invoice, its subscription and the balance, of which the change names one.
      (topic === 'billing' || mayShow(query, id)) &&
      query.state.dataUpdatedAt <= since,
  })
}

/** Anything of the account may have changed. */
export function invalidateAll(userid: string): void {
  invalidate({ queryKey: [userid], predicate: followsChanges })
}

/**
 * This page changed something of `topics` itself. Resolves when the queries on the screen have been fetched again,
 * except those of rate `costly`: a forecast takes seconds, and the notice of a change must not wait for it. Answers
 * under way are older than the change and are dropped.
 */
export async function invalidateOwn(userid: string, topics: readonly EventTopic[] = []): Promise<void> {
  const invalidateThose = (isCostly: boolean) =>
    queryClient.invalidateQueries({
      queryKey: [userid],
      predicate: (query) => namesTopic(query, topics) && (query.meta?.rate === 'costly') === isCostly,
    })
  const done = invalidateThose(false)
  void invalidateThose(true)
  await done
}

function namesTopic(query: Query, topics: readonly EventTopic[]): boolean {
  return topics.some((topic) => query.meta?.topics?.includes(topic))
}

/** Its body names the object `id`, or none. */
function mayShow({ queryKey: [, , body] }: Query, id: string): boolean {
  const ids = Object.entries(body ?? {}).filter(([field]) => field.endsWith('Id'))
  return ids.length === 0 || ids.some(([, value]) => value === id)
}

/** Retries failed queries: a page that receives every change need not fetch the rest. */
export function retryFailed(userid: string): void {
  void queryClient.invalidateQueries({
    queryKey: [userid],
    predicate: ({ state }) => state.status === 'error' || state.isInvalidated || state.fetchFailureCount > 0,
  })
}

/**
 * Retries shown queries that the server could not answer when they changed: perhaps no later change invalidates them. A
 * query without any answer says so, and the person retries it.
 */
export function retryOutdated(userid: string): void {
  void queryClient.invalidateQueries({
    queryKey: [userid],
    predicate: ({ state: { error, data, fetchStatus } }) =>
      data !== undefined && fetchStatus === 'idle' && (isUnanswered(error) || isServerError(error)),
  })
}

function isServerError(error: Error | null): boolean {
  return error instanceof CallFailure && error.code === codes.serverError
}

/** Invalidates everything, but lets queries under way finish: a server that hangs is not asked for ever. */
export function pollAll(userid: string): void {
  const filters: QueryFilters = { queryKey: [userid], predicate: followsChanges }
  void queryClient.invalidateQueries(filters, { cancelRefetch: false })
}

/** Not what no change makes old: that is asked for by its own clock alone. */
function followsChanges({ meta }: Query): boolean {
  return meta?.topics?.length !== 0
}

/** Changes that are told at a bad moment: whatever was asked before them is asked again after it. */
import { instanceDetails, instanceList, type Resource, resourceInitNew, resourceList } from '@atoll/contract/clusters'
import { type Call, codes } from '@atoll/contract/wire'
import { type QueryKey, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdAccount, startAccounts } from '../session/account-store.ts'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { clustersAfter, detailsQuery, initQuery, instancesQuery, queryKeys } from './queries.ts'
import { queryClient } from './query-client.ts'
import { refreshAll, refreshChanged, refreshOutdated } from './refresh.ts'

const [userid = ''] = dids
const change = { topic: 'cluster', id: 'cl_abcdefgh' } as const
/** Calls that wait for their answer, oldest first. */
let waiting: { path: string; answer: (data: unknown) => Promise<void>; fail: () => Promise<void> }[]
let leave: (() => void)[]

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  startAccounts()
  holdAccount(exampleAccount(0))
  waiting = []
  leave = []
  // What the answers hold is not checked here: only which is shown.
  for (const call of [resourceInitNew, resourceList, instanceDetails, instanceList]) {
    vi.spyOn(call.data, 'safeParse').mockImplementation((data) => ({ success: true, data }) as never)
  }
  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    signal?.addEventListener('abort', () => reject(signal.reason))
    const settle = async (response: Response) => {
      waiting = waiting.filter((call) => call !== asked)
      resolve(response)
      await settled()
    }
    const asked = {
      path: url,
      answer: (data: unknown) => settle(Response.json({ code: codes.ok, message: '', data })),
      fail: () => settle(Response.json({ code: codes.serverError, message: 'Broken.' })),
    }
    waiting.push(asked)
    return promise
  })
})
afterEach(() => {
  for (const stop of leave) stop()
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Whoever waits for an answer runs before the next task; a question that follows from it in the one after. */
async function settled(): Promise<void> {
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setTimeout(resolve))
}
/** Shows a query, as a page does. */
function show<T, K extends QueryKey>(options: QueryObserverOptions<T, Error, T, T, K>) {
  const observer = new QueryObserver(queryClient, options)
  leave.push(observer.subscribe(() => undefined))
  return observer
}
/** The newest question of `call` that has no answer yet. */
const last = ({ path }: Call) => waiting.findLast((asked) => asked.path === path)
const details = (ip: string) => ({ data: [{ ip }], operations: [] })
const list = (status: string) => [{ clusterId: change.id, status, cpuCoreTotalCount: 2 }] as unknown as Resource[]
const init = (status: string) => ({ user: {}, resourceData: list(status) })
const statusShown = () => queryClient.getQueryData<Resource[]>(queryKeys.clusters(userid))?.[0]?.status
/** As `useClusters` does: the list is asked for on its own once it is there. */
function showClusters() {
  const first = show(initQuery(userid))
  const all = show(clustersAfter(userid, first.getCurrentResult().data))
  leave.push(first.subscribe(({ data }) => all.setOptions(clustersAfter(userid, data))))
}

test('a change during the first question is asked for after it', async () => {
  const observer = show(detailsQuery(userid, change.id))
  refreshChanged(userid, change)
  await last(instanceDetails)?.answer(details('before'))
  expect(observer.getCurrentResult().data).toEqual(details('before'))
  await last(instanceDetails)?.answer(details('after'))
  expect(observer.getCurrentResult().data).toEqual(details('after'))
  expect(waiting).toEqual([])
})

test('a change during a later question has it asked anew', async () => {
  const observer = show(detailsQuery(userid, change.id))
  await last(instanceDetails)?.answer(details('first'))
  refreshChanged(userid, change)
  refreshChanged(userid, change)
  await last(instanceDetails)?.answer(details('before'))
  await last(instanceDetails)?.answer(details('after'))
  expect(observer.getCurrentResult().data).toEqual(details('after'))
})

test.each([
  ['a change', () => refreshChanged(userid, change)],
  ['the greeting of the stream', () => void refreshAll(userid)],
])('%s during the first question of a page has the list asked for, too', async (_what, tell) => {
  showClusters()
  tell()
  await last(resourceInitNew)?.answer(init('starting'))
  expect(statusShown()).toBe('starting')
  await last(resourceInitNew)?.answer(init('starting'))
  await last(resourceList)?.answer(list('running'))
  expect(statusShown()).toBe('running')
})

test('a list that came with an older question does not take the place of a newer one', async () => {
  showClusters()
  await last(resourceInitNew)?.answer(init('stopped'))
  void refreshAll(userid)
  const older = last(resourceInitNew)
  refreshChanged(userid, change)
  await settled()
  await last(resourceList)?.answer(list('running'))
  await older?.answer(init('starting'))
  expect(statusShown()).toBe('running')
})

test('a list is asked for when it changed although the rest of home failed', async () => {
  showClusters()
  await last(resourceInitNew)?.answer(init('stopped'))
  void refreshAll(userid)
  await last(resourceInitNew)?.fail()
  await last(resourceList)?.answer(list('starting'))
  refreshChanged(userid, change)
  await last(resourceList)?.answer(list('running'))
  expect(statusShown()).toBe('running')
})

test('what failed when it changed is asked for again, what was never shown is not', async () => {
  const shown = show(instancesQuery(userid))
  await last(instanceList)?.answer(['before'])
  const empty = show(detailsQuery(userid, change.id))
  await last(instanceDetails)?.fail()
  refreshChanged(userid, { topic: 'cluster', id: 'cl_another' })
  await last(instanceList)?.fail()
  expect([shown.getCurrentResult().status, empty.getCurrentResult().status]).toEqual(['error', 'error'])
  refreshOutdated(userid)
  expect(last(instanceDetails)).toBeUndefined()
  await last(instanceList)?.answer(['after'])
  expect(shown.getCurrentResult().data).toEqual(['after'])
  refreshOutdated(userid)
  expect(waiting).toEqual([])
})

test('a change of what a page left shows when it comes back', async () => {
  const observer = new QueryObserver(queryClient, detailsQuery(userid, change.id))
  const stop = observer.subscribe(() => undefined)
  await last(instanceDetails)?.answer(details('before'))
  refreshChanged(userid, change)
  stop()
  await settled()
  refreshChanged(userid, change)
  const again = show(detailsQuery(userid, change.id))
  await last(instanceDetails)?.answer(details('after'))
  expect(again.getCurrentResult().data).toEqual(details('after'))
})

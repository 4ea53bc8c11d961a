/** Changes that arrive at a bad moment: whatever was fetched before them is fetched once more. */
import { auditPage } from '@atoll/contract/audit'
import { getEstimatedAmount } from '@atoll/contract/billing'
import {
  clusterMonitor,
  instanceDetails,
  instanceList,
  type Resource,
  resourceInitNew,
  resourceList,
} from '@atoll/contract/clusters'
import { type Call, codes } from '@atoll/contract/wire'
import { type QueryKey, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startAccounts, storeAccount } from '../session/account-store.ts'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { clustersQuery, initQuery } from './home-queries.ts'
import { invalidateAll, invalidateChanged, invalidateOwn, pollAll, retryOutdated } from './invalidate.ts'
import { queryClient } from './query-client.ts'
import { callQuery } from './use-call.ts'

const [userid = ''] = dids
const change = { topic: 'cluster', id: 'cl_abcdefgh' } as const
const detailsOf = (clusterId: string) => callQuery(userid, instanceDetails, { clusterId })
/** Calls that wait for their answer, oldest first. */
let waiting: { path: string; answer: (data: unknown) => Promise<void>; fail: () => Promise<void> }[]
let leave: (() => void)[]

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  startAccounts()
  storeAccount(exampleAccount(0))
  waiting = []
  leave = []
  // The contents of answers are not checked here: only which is shown.
  for (const call of [
    resourceInitNew,
    resourceList,
    instanceDetails,
    instanceList,
    clusterMonitor,
    auditPage,
    getEstimatedAmount,
  ]) {
    vi.spyOn(call.data, 'safeParse').mockImplementation((data) => ({ success: true, data }) as never)
  }
  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    signal?.addEventListener('abort', () => {
      waiting = waiting.filter((call) => call !== asked)
      reject(signal.reason)
    })
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
  vi.useRealTimers()
  for (const stop of leave) stop()
  queryClient.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A waiter for an answer runs before the next task; a question that follows from it in the one after. */
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
async function answerAll(data: unknown): Promise<void> {
  for (const call of [...waiting]) await call.answer(data)
}
const asked = () => waiting.map(({ path }) => path)
const details = (ip: string) => ({ data: [{ ip }], operations: [] })
const list = (status: string, cores = 2) =>
  [{ clusterId: change.id, status, cpuCoreTotalCount: cores }] as unknown as Resource[]
const init = (status: string) => ({ user: {}, resourceData: list(status) })
const statusShown = () => queryClient.getQueryData(clustersQuery(userid).queryKey)?.[0]?.status
/** As `useClusters` does: the list is asked for on its own once it is there. */
function showClusters() {
  const first = show(initQuery(userid))
  const listWhen = (isFilled: boolean) => ({ ...clustersQuery(userid), enabled: isFilled })
  const all = show(listWhen(first.getCurrentResult().data !== undefined))
  leave.push(first.subscribe(({ data }) => all.setOptions(listWhen(data !== undefined))))
}

test('a change has every query asked for whose call names its topic, and of those about an object, that one', async () => {
  for (const query of [detailsOf(change.id), detailsOf('cl_another')]) show(query)
  show(callQuery(userid, instanceList, {}))
  show(callQuery(userid, auditPage, { kind: 'cluster', page: 1 }))
  await answerAll(details('before'))
  invalidateChanged(userid, change)
  expect(asked().sort()).toEqual([auditPage.path, instanceDetails.path, instanceList.path].sort())
  await answerAll(details('after'))
  invalidateChanged(userid, { topic: 'account', id: userid })
  expect(asked().sort()).toEqual([auditPage.path, instanceList.path].sort())
})

test('a change of money has everything asked for that shows money, whichever document it names', async () => {
  const worker = { kind: 'worker', clusterId: change.id, offering: 'bay-2' } as const
  show(callQuery(userid, getEstimatedAmount, worker))
  show(detailsOf(change.id))
  await answerAll(details('before'))
  invalidateChanged(userid, { topic: 'billing', id: 'iv_abcdefgh' })
  expect(asked()).toEqual([getEstimatedAmount.path])
})

test('figures that move have what shows them asked for every 5 s, however many clusters they are of', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  show(callQuery(userid, instanceList, {}))
  show(callQuery(userid, auditPage, { page: 1 }))
  await answerAll([])
  const publish = () => {
    for (let n = 0; n < 100; n += 1) invalidateChanged(userid, { topic: 'metrics', id: `cl_${n}` })
  }
  publish()
  expect(asked()).toEqual([])
  vi.setSystemTime(Date.now() + 5000)
  publish()
  expect(asked()).toEqual([instanceList.path])
})

test('what no change makes old is asked for by its own clock alone, also when anything may have changed', async () => {
  show(callQuery(userid, clusterMonitor, { clusterId: change.id }))
  show(detailsOf(change.id))
  await answerAll(details('before'))
  invalidateAll(userid)
  expect(asked()).toEqual([instanceDetails.path])
  await answerAll(details('after'))
  pollAll(userid)
  expect(asked()).toEqual([instanceDetails.path])
})

test.each([
  ['first', false],
  ['later', true],
])('however much changes during a %s question, it is asked once more after it', async (_which, isLater) => {
  const observer = show(detailsOf(change.id))
  if (isLater) {
    await last(instanceDetails)?.answer(details('first'))
    invalidateChanged(userid, change)
  }
  for (let n = 0; n < 100; n += 1) invalidateChanged(userid, change)
  expect(asked()).toEqual([instanceDetails.path])
  await last(instanceDetails)?.answer(details('before'))
  expect(observer.getCurrentResult().data).toEqual(details('before'))
  await last(instanceDetails)?.answer(details('after'))
  expect(observer.getCurrentResult().data).toEqual(details('after'))
  expect(asked()).toEqual([])
})

test('a change during a question that fails is asked for all the same', async () => {
  const observer = show(detailsOf(change.id))
  invalidateChanged(userid, change)
  await last(instanceDetails)?.fail()
  await last(instanceDetails)?.answer(details('after'))
  expect(observer.getCurrentResult().data).toEqual(details('after'))
})

test('what this page changed itself is asked for at once, and an older answer dropped', async () => {
  const observer = show(detailsOf(change.id))
  await last(instanceDetails)?.answer(details('first'))
  invalidateChanged(userid, change)
  const older = last(instanceDetails)
  const done = invalidateOwn(userid, ['cluster'])
  expect(last(instanceDetails)).not.toBe(older)
  await older?.answer(details('before'))
  await last(instanceDetails)?.answer(details('after'))
  await done
  expect(observer.getCurrentResult().data).toEqual(details('after'))
})

test('the result of a change is told before a costly answer has come again', async () => {
  show(detailsOf(change.id))
  show(callQuery(userid, getEstimatedAmount, { kind: 'worker', clusterId: change.id, offering: 'bay-2' }))
  await answerAll(details('before'))
  let isTold = false
  const told = invalidateOwn(userid, ['cluster', 'billing']).then(() => {
    isTold = true
  })
  await settled()
  expect(isTold).toBe(false)
  await last(instanceDetails)?.answer(details('after'))
  await told
  expect(asked()).toEqual([getEstimatedAmount.path])
})

test('the first list is as new as the newest answer that brings one', async () => {
  showClusters()
  invalidateAll(userid)
  await last(resourceInitNew)?.answer(init('starting'))
  expect(statusShown()).toBe('starting')
  await last(resourceInitNew)?.answer(init('running'))
  expect(statusShown()).toBe('running')
})

test('a list that came with an older question does not take the place of a newer one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  showClusters()
  await last(resourceInitNew)?.answer(init('stopped'))
  vi.setSystemTime(Date.now() + 1)
  invalidateAll(userid)
  const older = last(resourceInitNew)
  vi.setSystemTime(Date.now() + 1)
  await last(resourceList)?.answer(list('running'))
  await older?.answer(init('starting'))
  expect(statusShown()).toBe('running')
})

test('a list with other cores has the quota asked for', async () => {
  showClusters()
  await last(resourceInitNew)?.answer(init('running'))
  invalidateChanged(userid, change)
  await last(resourceList)?.answer(list('running'))
  expect(asked()).toEqual([])
  invalidateChanged(userid, change)
  await last(resourceList)?.answer(list('running', 4))
  expect(asked()).toEqual([resourceInitNew.path])
})

test('what failed when it changed is retried, what was never shown is not', async () => {
  const shown = show(callQuery(userid, instanceList, {}))
  await last(instanceList)?.answer(['before'])
  const empty = show(detailsOf(change.id))
  await last(instanceDetails)?.fail()
  invalidateChanged(userid, { topic: 'cluster', id: 'cl_another' })
  await last(instanceList)?.fail()
  expect([shown.getCurrentResult().status, empty.getCurrentResult().status]).toEqual(['error', 'error'])
  retryOutdated(userid)
  expect(last(instanceDetails)).toBeUndefined()
  await last(instanceList)?.answer(['after'])
  expect(shown.getCurrentResult().data).toEqual(['after'])
  retryOutdated(userid)
  expect(asked()).toEqual([])
})

test('a change of what a page left shows when it comes back', async () => {
  const observer = new QueryObserver(queryClient, detailsOf(change.id))
  const stop = observer.subscribe(() => undefined)
  await last(instanceDetails)?.answer(details('before'))
  stop()
  invalidateChanged(userid, change)
  const again = show(detailsOf(change.id))
  await last(instanceDetails)?.answer(details('after'))
  expect(again.getCurrentResult().data).toEqual(details('after'))
})

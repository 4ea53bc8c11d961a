import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Listener } from '../../platform/events/index.ts'
import { silentLog } from '../../platform/log.ts'
import { createRouteCache, type EdgeRoute, type RouteCache } from './route-cache.ts'

const route: EdgeRoute = {
  clusterId: 'cl_one',
  clusterHost: 'one.test',
  instanceId: 'in_one',
  host: '127.0.0.1',
  port: 1,
  serving: true,
}
let answer: () => Promise<EdgeRoute | undefined>
let asked: string[]
let notify: (payload: unknown) => void
let resync: () => void
let cache: RouteCache

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  asked = []
  answer = async () => route
  const listener: Listener = {
    on(_, fn) {
      notify = fn
      return () => undefined
    },
    onResync(fn) {
      resync = fn
      return () => undefined
    },
    ready: async () => undefined,
    connected: () => true,
    close: async () => undefined,
  }
  const findRoute = (host: string) => {
    asked.push(host)
    return answer()
  }
  cache = createRouteCache(findRoute, listener, silentLog)
})
afterEach(() => vi.useRealTimers())

/** Notifications have been handled. */
const settle = () => new Promise(setImmediate)

test('a host is asked for once in two seconds, also by many at once', async () => {
  await Promise.all(Array.from({ length: 20 }, () => cache.find('reef')))
  expect(asked).toHaveLength(1)
  vi.advanceTimersByTime(2001)
  await cache.find('reef')
  expect(asked).toHaveLength(2)
})

test('a change of its cluster, or of any for a host without one, is a reason to ask again', async () => {
  await cache.find('reef')
  notify({ account: 'a', topic: 'cluster', id: 'cl_other' })
  await settle()
  await cache.find('reef')
  expect(asked).toHaveLength(1)
  notify({ account: 'a', topic: 'cluster', id: 'cl_one' })
  await settle()
  await cache.find('reef')
  expect(asked).toHaveLength(2)

  answer = async () => undefined
  await cache.find('nobody')
  notify({ account: 'a', topic: 'cluster', id: 'cl_other' })
  await settle()
  await cache.find('nobody')
  expect(asked.filter((host) => host === 'nobody')).toHaveLength(2)
})

test('a change of the domain that a host is under is a reason to ask again', async () => {
  answer = async () => ({ ...route, domainId: '7' })
  await cache.find('lena.lagoon.example')
  notify({ account: 'a', topic: 'domain', id: '8' })
  await settle()
  await cache.find('lena.lagoon.example')
  expect(asked).toHaveLength(1)
  notify({ account: 'a', topic: 'domain', id: '7' })
  await settle()
  await cache.find('lena.lagoon.example')
  expect(asked).toHaveLength(2)
})

test('an answer that was on its way when its cluster changed is not kept', async () => {
  const slow = Promise.withResolvers<EdgeRoute>()
  answer = () => slow.promise
  const first = cache.find('reef')
  notify({ account: 'a', topic: 'cluster', id: 'cl_one' })
  slow.resolve(route)
  await first
  await settle()
  await cache.find('reef')
  expect(asked).toHaveLength(2)
})

test('after a gap in the news everything is asked again', async () => {
  await cache.find('reef')
  resync()
  await cache.find('reef')
  expect(asked).toHaveLength(2)
})

test('while nobody can be asked, what was known last is used; what never was known fails', async () => {
  await cache.find('reef')
  answer = () => Promise.reject(new Error('the database is away'))
  for (let at = 0; at < 3; at++) {
    vi.advanceTimersByTime(2001)
    expect(await cache.find('reef')).toEqual(route)
  }
  await expect(cache.find('new')).rejects.toThrow('away')
  answer = async () => ({ ...route, port: 2 })
  vi.advanceTimersByTime(2001)
  expect(await cache.find('reef')).toMatchObject({ port: 2 })
})

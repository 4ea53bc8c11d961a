import type { InstanceInfo } from '@atoll/contract/clusters'
import { nextClusterName } from '@atoll/contract/clusters'
import { expect, test } from 'vitest'
import { nameProblem } from '../card/cluster-name.ts'
import { resolveChoice } from '../offers/create-choice.ts'
import { createSearch } from './create-search.ts'
import { reachProblems, selfHostOrder } from './self-host-order.ts'
import { stepsOf } from './steps-of.ts'

const offering = (name: string, regionId: string, cpuCoreCount: number, available = true) => ({
  cloudName: 'local',
  regionId,
  name,
  title: name,
  cpuCoreCount,
  memorySize: 4096,
  diskSize: 40_960,
  available,
})
const info: InstanceInfo = {
  data: [
    offering('tide-2', 'fra', 2, false),
    offering('tide-4', 'fra', 4),
    offering('tide-8', 'fra', 8),
    offering('tide-2', 'hel', 2),
  ],
  limit: { vCpuQuota: 16, vCpuUsed: 10, maxWorkers: 0 },
  pricePackage: { 'tide-4': { amount: 1440, currency: 'usd', interval: 'month' } },
  versions: [
    { version: '0.9.0', title: 'Atoll 0.9', summary: '', recommended: false },
    { version: '1.0.0', title: 'Atoll 1.0.0', summary: '', recommended: true },
  ],
  clouds: [
    {
      cloudName: 'local',
      title: 'This machine',
      regions: [
        { regionId: 'fra', title: 'Frankfurt', place: 'Germany' },
        { regionId: 'hel', title: 'Helsinki', place: 'Finland' },
      ],
    },
  ],
}

test('what was not chosen is the first that can be had', () => {
  const choice = resolveChoice({}, info)
  expect(choice.region?.regionId).toBe('fra')
  expect(choice.offer?.offering.name).toBe('tide-4')
  expect(choice.version?.version).toBe('1.0.0')
})

test('an offering that cannot be had says why and where else', () => {
  const { offers, offer } = resolveChoice({ region: 'fra', offering: 'tide-8' }, info)
  expect(offers.map(({ block }) => block)).toEqual([
    { kind: 'soldOut', elsewhere: [{ regionId: 'hel', title: 'Helsinki', place: 'Finland' }] },
    undefined,
    { kind: 'overQuota', needed: 8, free: 6 },
  ])
  expect(offer?.offering.name).toBe('tide-4')
})

test('with nothing left there is nothing chosen', () => {
  const full = { ...info, limit: { ...info.limit, vCpuUsed: 16 } }
  expect(resolveChoice({}, full).offer).toBeUndefined()
})

test('choices that are not in the catalogue are replaced', () => {
  const choice = resolveChoice({ cloud: 'moon', region: 'x', offering: 'y', version: 'z' }, info)
  expect(choice.cloud?.cloudName).toBe('local')
  expect(choice.version?.version).toBe('1.0.0')
})

test('what has one choice is no step', () => {
  const [cloud] = info.clouds
  const one = {
    ...info,
    data: info.data.filter(({ regionId }) => regionId === 'hel'),
    versions: info.versions.slice(1),
    clouds: cloud ? [{ ...cloud, regions: cloud.regions.slice(1) }] : [],
  }
  expect(stepsOf({}, info), 'what costs is reviewed and paid in one step').toEqual([
    'flavour',
    'hardware',
    'version',
    'review',
  ])
  expect(stepsOf({}, { ...info, versions: one.versions })).toEqual(['flavour', 'hardware', 'review'])
  expect(stepsOf({}, one)).toEqual(['flavour', 'review'])
  expect(stepsOf({ flavour: 'SelfHost' }, one)).toEqual(['flavour', 'reach', 'review'])
  const restored = { ...one, filesSize: 14 }
  expect(stepsOf({ flavour: 'SelfHost' }, restored), 'of a backup, too').toEqual(['flavour', 'reach', 'review'])
  expect(stepsOf({}, restored)).toEqual(['flavour', 'review'])
  const full = { ...one, limit: { ...one.limit, vCpuUsed: 16 } }
  expect(stepsOf({}, full), 'why it cannot be had is shown').toContain('hardware')
})

test('the address is read with care', () => {
  expect(
    createSearch({ step: 'review', region: 'hel', name: 2026, offering: ['x'], version: 'v'.repeat(65), other: 1 }),
  ).toEqual({
    step: 'review',
    region: 'hel',
    name: '2026',
  })
  expect(createSearch({ step: 'paid', flavour: 'Cloud', proxy: 'frp', host: 7 })).toEqual({})
  expect(createSearch({ flavour: 'SelfHost', proxy: 'none', host: '192.0.2.7:8080', tunnelToken: 'x' })).toEqual({
    flavour: 'SelfHost',
    proxy: 'none',
    host: '192.0.2.7:8080',
  })
})

test.each([
  ['x', 'invalid'],
  ['', 'invalid'],
  ['-reef', 'invalid'],
  ['reef!', 'invalid'],
  ['a'.repeat(33), 'invalid'],
  ['rangiroa 1', 'taken'],
  [' Rangiroa 1 ', 'taken'],
])('the name "%s" is %s', (name, problem) => {
  expect(nameProblem(name, ['Rangiroa 1'])).toBe(problem)
})

test.each(['Rangiroa', 'r2', 'Mein Atoll-2', '环礁'])('the name "%s" is free', (name) => {
  expect(nameProblem(name, ['Rangiroa 1'])).toBeUndefined()
})

test('a suggested name is never taken', () => {
  const taken: string[] = []
  for (let index = 0; index < 25; index++) {
    const name = nextClusterName(taken)
    expect(nameProblem(name, taken)).toBeUndefined()
    taken.push(name)
  }
  expect(taken[0]).toBe('Rangiroa')
})

test.each([
  [{}, '', []],
  [{ proxy: 'none' as const }, '', []],
  [{ proxy: 'none' as const, host: '192.0.2.7:8080' }, '', []],
  [{ proxy: 'none' as const, host: 'not a host' }, '', ['address']],
  [{ proxy: 'cloudflare' as const }, '', ['tunnelToken', 'hostname']],
  [{ proxy: 'cloudflare' as const, host: 'atoll.example.com' }, 'short', ['tunnelToken']],
  [{ proxy: 'cloudflare' as const, host: 'atoll' }, 'a'.repeat(60), ['hostname']],
  [{ proxy: 'cloudflare' as const, host: 'atoll.example.com' }, 'a'.repeat(60), []],
])('how a host is reached, %j, is checked by the rules of the call', (search, token, problems) => {
  expect(reachProblems(search, token)).toEqual(problems)
})

test('a tunnel token goes along with Cloudflare only', () => {
  expect(selfHostOrder({ proxy: 'none', host: 'a.b' }, 'secret')).toEqual({
    clusterType: 'SelfHost',
    reverseProxy: 'none',
    address: 'a.b',
  })
})

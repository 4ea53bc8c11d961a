import { statusStates } from '@atoll/contract/announcements'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideStatus, type Observed } from './decide-status.ts'

const well: Observed = {
  roles: new Set(['api', 'worker', 'edge', 'vault', 'dns']),
  isQueueAlive: true,
  isNameServerSilent: false,
  isVaultFull: false,
  arePaymentsWaiting: false,
  announced: [],
  regions: [{ region: 'atoll/lagoon', running: 20, offline: 1 }],
}
const stateOf = (observed: Observed, component: string, region = '') =>
  decideStatus(observed).find((seen) => seen.component === component && seen.region === region)?.state
const order = (state: string | undefined) => statusStates.indexOf(state as never)

test('each part follows its own probe', () => {
  expect(new Set(decideStatus(well).map(({ state }) => state))).toEqual(new Set(['works']))
  expect(stateOf({ ...well, roles: new Set(['worker', 'edge', 'vault']) }, 'signIn')).toBe('down')
  expect(stateOf({ ...well, roles: new Set(['worker', 'edge', 'api']) }, 'backups')).toBe('down')
  expect(stateOf({ ...well, roles: new Set(['worker', 'vault', 'api']) }, 'clusters', 'atoll/lagoon')).toBe('down')
  expect(stateOf({ ...well, isQueueAlive: false }, 'payments')).toBe('limited')
  expect(stateOf({ ...well, isVaultFull: true }, 'backups')).toBe('limited')
  expect(stateOf({ ...well, isNameServerSilent: true }, 'domains')).toBe('limited')
  expect(stateOf({ ...well, arePaymentsWaiting: true }, 'payments')).toBe('limited')
  const offline = (count: number) => [{ region: 'atoll/lagoon', running: 20 - count, offline: count }]
  for (const [count, state] of [
    [1, 'works'],
    [2, 'limited'],
    [10, 'down'],
  ] as const)
    expect(stateOf({ ...well, regions: offline(count) }, 'clusters', 'atoll/lagoon')).toBe(state)
})

test('an announcement makes worse what it names, in its regions alone, and nothing better', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...statusStates),
      fc.subarray(['atoll/lagoon', 'atoll/shelf']),
      fc.integer({ min: 0, max: 20 }),
      (impact, regions, offline) => {
        const here = ['atoll/lagoon', 'atoll/shelf'].map((region) => ({ region, running: 20 - offline, offline }))
        const before = { ...well, regions: here }
        const after = { ...before, announced: [{ components: ['clusters' as const], regions, impact }] }
        for (const { region } of here) {
          const [was, is] = [before, after].map((observed) => order(stateOf(observed, 'clusters', region)))
          const meant = regions.length === 0 || regions.includes(region)
          expect(is).toBe(meant ? Math.max(was ?? 0, order(impact)) : was)
        }
        expect(stateOf(after, 'payments')).toBe('works')
      },
    ),
  )
})

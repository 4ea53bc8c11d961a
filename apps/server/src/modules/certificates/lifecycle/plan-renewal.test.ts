import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Ca, CaFault, type RenewalWindow } from '../acme/ca.ts'
import { planRenewal } from './plan-renewal.ts'
import { ownRule } from './renewal.ts'

const now = new Date('2026-06-01T00:00:00Z')
const [minute, hour, day] = [60_000, 60 * 60_000, 24 * 60 * 60_000]
const at = (ms: number) => new Date(now.getTime() + ms)
const served = { notBefore: at(-10 * day), notAfter: at(80 * day) }
const caThat = (renewalOf: Ca['renewalOf']) => ({ renewalOf })
const plan = (answer: RenewalWindow | undefined, renew_at: Date | null = null, random = () => 0.5) =>
  planRenewal(
    caThat(async () => answer),
    { chain: 'a chain', renew_at },
    { served, now, random },
  )

test('without a suggestion it is our own rule', async () => {
  expect(await plan(undefined, at(day))).toEqual(ownRule(served))
})

test('a moment of the suggested time is chosen and kept while it lies in it', async () => {
  const window = { start: at(10 * day), end: at(12 * day), retryAfterMs: 6 * hour }
  expect(await plan(window)).toEqual({ at: at(11 * day), chosen: at(11 * day), lookAt: at(6 * hour) })
  expect(await plan(window, at(10.5 * day))).toMatchObject({ at: at(10.5 * day) })
  expect(await plan(window, at(20 * day))).toMatchObject({ at: at(11 * day) })
})

test('an authority that gives no answer changes nothing', async () => {
  const ca = caThat(async () => {
    throw new CaFault('caLimited', 'slow down', 2 * hour)
  })
  const row = { chain: 'a chain', renew_at: at(3 * day) }
  expect(await planRenewal(ca, row, { served, now })).toEqual({
    at: at(3 * day),
    chosen: at(3 * day),
    lookAt: at(2 * hour),
  })
  expect(await planRenewal(ca, { ...row, renew_at: null }, { served, now })).toMatchObject({
    at: ownRule(served).at,
    chosen: null,
  })
})

test('whatever is suggested, it is renewed with a sixth of its life left and asked about within a minute to a day', async () => {
  const ms = fc.integer({ min: -200 * day, max: 200 * day })
  const suggestion = fc.record({
    start: ms,
    length: fc.integer({ min: 1, max: 100 * day }),
    retryAfterMs: fc.option(fc.integer({ min: 1, max: 400 * day }), { nil: undefined }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  await fc.assert(
    fc.asyncProperty(suggestion, async ({ start, length, retryAfterMs, random }) => {
      const window = { start: at(start), end: at(start + length), retryAfterMs }
      const renewal = await plan(window, null, () => random)
      expect(renewal.at.getTime()).toBeLessThanOrEqual(at(65 * day).getTime())
      expect(renewal.at.getTime()).toBeGreaterThanOrEqual(at(-10 * day + 6 * hour).getTime())
      expect(renewal.lookAt.getTime()).toBeGreaterThanOrEqual(at(minute).getTime())
      expect(renewal.lookAt.getTime()).toBeLessThanOrEqual(at(day).getTime())
    }),
  )
})

import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { type Harness, openHarness } from '../../billing/testing/billing-harness.ts'
import { createMeters } from '../readings/meters.ts'
import { verifyReadings } from '../readings/verify-readings.ts'
import { cdnHeader } from './cdn-line.ts'
import { importCdn } from './import-cdn.ts'

const now = new Date('2027-03-01T00:00:00Z')
const database = useDatabase()
let harness: Harness
let clusterId: string

beforeEach(async () => {
  harness = await openHarness(database)
  clusterId = await harness.insertCluster()
})

async function* linesOf(lines: string[]): AsyncGenerator<string> {
  yield* lines
}
const load = (...lines: string[]) => importCdn(database.db, linesOf([cdnHeader, ...lines]), now)
const line = (from: string, to: string, bytes: string | number, more: { id?: string; product?: string } = {}) =>
  `${more.id ?? clusterId},${more.product ?? 'cdn_traffic'},2027-02-${from}:00:00Z,2027-02-${to}:00:00Z,${bytes}`
const used = async () => {
  const [from, to] = [new Date('2027-02-01T00:00:00Z'), now]
  const meters = createMeters({ clock: { now: () => now } })
  return await meters.read(database.db, { userid: harness.userid, productType: 'cdn_traffic', from, to })
}

describe('a file of CDN traffic', () => {
  test('is taken in once, however often it is given, and corrected by the difference', async () => {
    const lines = [line('01T00', '02T00', 5_000_000), line('02T00', '02T01', 3000)]
    expect(await load(...lines)).toEqual({ added: 2, corrected: 0, unchanged: 0 })
    expect(await load(...lines, lines[0] ?? '', '')).toEqual({ added: 0, corrected: 0, unchanged: 2 })
    expect(await used()).toMatchObject({ used: 5003n, complete: true, parts: [{ clusterId, used: 5003n }] })
    expect(await load(line('01T00', '02T00', 4_000_000), line('03T00', '03T01', 0))).toEqual({
      added: 1,
      corrected: 1,
      unchanged: 0,
    })
    expect((await used()).used).toBe(4003n)
    expect(await load(line('01T00', '02T00', 5_000_000))).toMatchObject({ corrected: 1 })
    expect((await used()).used).toBe(5003n)
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
  })

  test('with times that overlap is refused, within itself and beside what was there', async () => {
    expect(await load(line('01T00', '01T02', 1), line('01T01', '01T03', 1), line('01T05', '01T06', 1))).toEqual({
      problems: ['Line 3, from: these times overlap those of another line.'],
    })
    expect((await used()).parts).toEqual([])
    await load(line('01T00', '01T02', 1000))
    expect(await load(line('01T05', '01T06', 1), line('01T01', '01T03', 1))).toEqual({
      problems: ['Line 3, from: these times overlap what was imported before.'],
    })
    expect(await load(line('01T00', '01T02', 1), line('01T00', '01T02', 2))).toEqual({
      problems: ['Line 3, bytes: another line has another figure for this cluster and these times.'],
    })
    expect((await used()).used).toBe(1n)
  })

  test('is refused if any of its times overlaps what was there, and for nothing else', async () => {
    const span = fc
      .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 4 }))
      .map(([from, hours]) => ({ from, to: from + hours }))
    const overlaps = (a: { from: number; to: number }, b: { from: number; to: number }) =>
      a.from < b.to && b.from < a.to && (a.from !== b.from || a.to !== b.to)
    /** Without those that overlap one before them. */
    const apart = (spans: { from: number; to: number }[]) =>
      spans.reduce<typeof spans>(
        (kept, one) => (kept.some((other) => overlaps(one, other)) ? kept : [...kept, one]),
        [],
      )
    const hour = (at: number) => `01T${String(at).padStart(2, '0')}`
    await fc.assert(
      fc.asyncProperty(fc.array(span, { maxLength: 6 }), fc.array(span, { maxLength: 6 }), async (before, after) => {
        clusterId = await harness.insertCluster()
        const [first, second] = [apart(before), apart(after).filter(({ to }) => to < 24)]
        const lines = (spans: typeof first) => spans.map(({ from, to }) => line(hour(from), hour(to), 1))
        const imported = first.filter(({ to }) => to < 24)
        expect(await load(...lines(imported))).not.toHaveProperty('problems')
        const wrong = second.flatMap((one, at) => (imported.some((other) => overlaps(one, other)) ? [at + 2] : []))
        const result = await load(...lines(second))
        expect('problems' in result ? result.problems : []).toEqual(
          wrong.map((at) => `Line ${at}, from: these times overlap what was imported before.`),
        )
      }),
      // The same times twice in one file: each line is named.
      {
        numRuns: 40,
        examples: [
          [
            [{ from: 1, to: 3 }],
            [
              { from: 2, to: 4 },
              { from: 2, to: 4 },
            ],
          ],
        ],
      },
    )
  })

  test('with a wrong line is refused as a whole, and each is named with its column', async () => {
    const result = await load(
      line('01T00', '01T01', 1),
      line('02T00', '02T01', 1, { product: 'cloud_traffic' }),
      line('02T00', '02T01', '1e9'),
      line('02T00', '02T01', -1),
      line('30T00', '30T01', 1),
      line('02T01', '02T01', 1),
      line('02T00', '02T01', 1, { id: 'in_a' }),
      `${clusterId},cdn_traffic,2027-02-28T23:00:00Z,2027-03-01T01:00:00Z,1`,
      'a,b',
    )
    expect('problems' in result && result.problems.map((problem) => problem.split(':')[0])).toEqual([
      'Line 3, product_type',
      'Line 4, bytes',
      'Line 5, bytes',
      'Line 6, from',
      'Line 7, to',
      'Line 8, cluster_id',
      'Line 9, to',
      'Line 10, line',
    ])
    expect(await load(line('01T00', '01T01', 1, { id: 'cl_nobody' }))).toEqual({
      problems: ['Line 2, cluster_id: "cl_nobody" is no cluster here.'],
    })
    expect(await importCdn(database.db, linesOf(['cluster_id,bytes']), now)).toEqual({
      problems: [`Line 1: must be ${cdnHeader}.`],
    })
    expect(await importCdn(database.db, linesOf([]), now)).toHaveProperty('problems')
    expect((await used()).parts).toEqual([])
  })
})

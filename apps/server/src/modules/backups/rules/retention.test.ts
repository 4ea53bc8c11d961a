import { defaultKeepOf, type KeepRules } from '@atoll/contract/backups'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyKeepRules, decideRetention, type KeptSnapshot } from './retention.ts'

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Chatham']
const start = Date.UTC(2024, 0, 1)
const minute = 60_000

/** A longer run: ATOLL_ORACLE_HISTORIES. */
const historyCount = Number(process.env['ATOLL_ORACLE_HISTORIES'] ?? 1500)

/** A month or a year, minutes: the next snapshot has the same day, or week, as the one before. */
const longGaps = fc.constantFrom(28, 29, 30, 31, 365, 366).map((days) => days * 24 * 60)

/** From a minute to a week apart, some at the very same moment, and a few after a long time without any. */
const histories = fc
  .array(
    fc.oneof(
      { arbitrary: fc.integer({ min: 0, max: 90 }), weight: 5 },
      { arbitrary: fc.integer({ min: 0, max: 7 * 24 * 60 }), weight: 5 },
      { arbitrary: longGaps, weight: 1 },
    ),
    { maxLength: 60 },
  )
  .map((gaps) => {
    let at = start
    return gaps.map((gap, index): KeptSnapshot => {
      at += gap * minute
      return { id: `sn_${String(index).padStart(8, '0')}`, at: new Date(at) }
    })
  })
const count = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 }))
const policies: fc.Arbitrary<KeepRules> = fc.record({
  last: count,
  hourly: count,
  daily: count,
  weekly: count,
  monthly: count,
  yearly: count,
})

/** The wall clock time in a zone, from Intl: as the ms since 1970 at which a clock in UTC shows the same. */
function wallOf(at: Date, zone: string): number {
  let format = formats.get(zone)
  if (!format) {
    const whole = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', era: 'short', ...whole })
    formats.set(zone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 0, day = 0, hour = 0, minute: minutes = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minutes)
}
const formats = new Map<string, Intl.DateTimeFormat>()

/** The week that a day is in, by its Thursday, as ISO 8601 defines it. */
function weekOf(wall: number): string {
  const days = Math.floor(wall / 86_400_000)
  const thursday = days + 3 - ((days + 3) % 7)
  const year = new Date(thursday * 86_400_000).getUTCFullYear()
  return `${year} ${Math.floor((thursday - Date.UTC(year, 0, 1) / 86_400_000) / 7)}`
}

/** The oracle: whole groups at once instead of one walk. Ids that are kept. */
function expectedKept(history: readonly KeptSnapshot[], rules: KeepRules, zone: string): Set<string> {
  const newestFirst = history.map((each, index) => ({ ...each, index, wall: wallOf(each.at, zone) })).reverse()
  const groupings: Record<keyof KeepRules, (each: { index: number; wall: number }) => string> = {
    last: ({ index }) => String(index),
    hourly: ({ wall }) => new Date(wall).toISOString().slice(0, 13),
    daily: ({ wall }) => new Date(wall).toISOString().slice(0, 10),
    weekly: ({ wall }) => weekOf(wall),
    monthly: ({ wall }) => new Date(wall).toISOString().slice(0, 7),
    yearly: ({ wall }) => new Date(wall).toISOString().slice(0, 4),
  }
  const kept = new Set<string>()
  for (const rule of Object.keys(rules) as (keyof KeepRules)[]) {
    // A clock that is set back shows an hour twice: what lies apart in time is apart, as for restic.
    const groups: { key: string; newest: string }[] = []
    for (const each of newestFirst) {
      const key = groupings[rule](each)
      if (groups.at(-1)?.key !== key) groups.push({ key, newest: each.id })
    }
    for (const { newest } of groups.slice(0, rules[rule])) kept.add(newest)
    const oldest = newestFirst.at(-1)
    if (oldest && groups.length < rules[rule]) kept.add(oldest.id)
  }
  if (newestFirst[0]) kept.add(newestFirst[0].id)
  return kept
}

describe('what is kept', () => {
  test(
    'is what grouping by hour, day, week, month and year says, in any zone',
    () => {
      fc.assert(
        fc.property(histories, policies, fc.constantFrom(...zones), (history, rules, zone) => {
          const { keep, remove } = applyKeepRules(history, rules, zone)
          const kept = new Set(keep.map(({ snapshot }) => snapshot.id))
          expect(kept).toEqual(expectedKept(history, rules, zone))
          expect([...kept, ...remove.map(({ id }) => id)].sort()).toEqual(history.map(({ id }) => id).sort())
        }),
        { numRuns: historyCount },
      )
    },
    30_000 + historyCount * 20,
  )

  test('does not depend on the order, is the same again, and grows with the rules', () => {
    fc.assert(
      fc.property(histories, policies, (history, rules) => {
        const { keep } = applyKeepRules(history, rules, 'UTC')
        const survivors = keep.map(({ snapshot }) => snapshot)
        const ids = survivors.map(({ id }) => id)
        expect(applyKeepRules([...history].reverse(), rules, 'UTC').keep).toEqual(keep)
        const more = applyKeepRules(history, { ...rules, daily: rules.daily + 1 }, 'UTC').keep
        if (rules.daily > 0)
          expect(more.map(({ snapshot }) => snapshot.id)).toEqual(expect.arrayContaining(ids.slice(0, -1)))
        expect(keep.every(({ because }) => because.length > 0)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('always holds the newest', () => {
    const none: KeepRules = { last: 0, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }
    const history = [1, 2, 3].map((day) => ({ id: `sn_${day}`, at: new Date(start + day * 86_400_000) }))
    expect(applyKeepRules(history, none, 'UTC').keep.map(({ snapshot }) => snapshot.id)).toEqual(['sn_3'])
  })
})

describe('what is held', () => {
  const hour = 3600_000
  const indexes = fc.array(fc.nat({ max: 59 }), { maxLength: 4 })
  const facts = fc.record({
    history: histories,
    rules: policies,
    pinned: indexes,
    restoring: indexes,
    proved: fc.nat({ max: 70 }),
    later: fc.integer({ min: 0, max: 72 * 60 }),
    isShort: fc.boolean(),
  })
  const decide = ({ history, rules, pinned, restoring, proved, later, isShort }: Facts) => {
    const idsOf = (list: readonly number[]) => list.flatMap((index) => history[index]?.id ?? [])
    const held = {
      now: new Date((history.at(-1)?.at.getTime() ?? start) + later * minute),
      isShort,
      pinnedIds: idsOf(pinned),
      restoringIds: idsOf(restoring),
      provedId: history[proved]?.id,
    }
    return { held, ...decideRetention(history, rules, 'Europe/Berlin', held) }
  }
  type Facts = typeof facts extends fc.Arbitrary<infer Each> ? Each : never

  test('never goes: the newest, the proved, a pinned one, one that is restored, nor any under 48 h while there is room', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { keep, remove, held } = decide(given)
        expect(keep.length + remove.length).toBe(given.history.length)
        for (const { snapshot, forRoom } of remove) {
          const never = [...held.pinnedIds, ...held.restoringIds, held.provedId, given.history.at(-1)?.id]
          expect(never).not.toContain(snapshot.id)
          expect(forRoom).toBe(held.now.getTime() - snapshot.at.getTime() < 48 * hour)
        }
        // A snapshot that the rules alone keep is kept, whatever else is held.
        const byRules = applyKeepRules(given.history, given.rules, 'Europe/Berlin').keep
        const ids = keep.map(({ snapshot }) => snapshot.id)
        for (const { snapshot } of byRules) expect(ids).toContain(snapshot.id)
        expect(ids).toEqual([...ids].sort().reverse())
      }),
      { numRuns: 600 },
    )
  })

  test('without room just one goes of those that only their age holds: the oldest', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const [roomy, short] = [decide({ ...given, isShort: false }), decide({ ...given, isShort: true })]
        const young = roomy.keep.filter(({ because }) => because.join() === 'recent').map(({ snapshot }) => snapshot.id)
        const cut = short.remove.filter(({ forRoom }) => forRoom).map(({ snapshot }) => snapshot.id)
        expect(cut).toEqual(young.slice(-1))
        expect(roomy.remove.some(({ forRoom }) => forRoom)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('an hourly plan with the rules it got still has the last good hour two days after a loss', () => {
    const rules = defaultKeepOf({ every: 'hour' })
    const history = Array.from({ length: 24 * 40 }, (_, index) => ({
      id: `sn_${String(index).padStart(8, '0')}`,
      at: new Date(start + index * hour),
    }))
    const now = history.at(-1)?.at ?? new Date(start)
    const { keep } = decideRetention(history, rules, 'UTC', { now })
    expect(keep.slice(0, 48).map(({ snapshot }) => snapshot)).toEqual([...history].reverse().slice(0, 48))
    expect(keep.length).toBeGreaterThan(48 + 28)
  })
})

import type { KeepRules } from '@atoll/contract/backups'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyKeepRules, type KeptSnapshot } from './retention.ts'

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Chatham']
const start = Date.UTC(2024, 0, 1)
const minute = 60_000

/** A longer run: ATOLL_ORACLE_HISTORIES. */
const historyCount = Number(process.env['ATOLL_ORACLE_HISTORIES'] ?? 1500)

/** From a minute to a week apart, and some at the very same moment. */
const histories = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 7 * 24 * 60 })), { maxLength: 60 })
  .map((gaps) => {
    let at = start
    return gaps.map((gap, index): KeptSnapshot => {
      at += gap * minute
      return { id: `sn_${String(index).padStart(8, '0')}`, at: new Date(at) }
    })
  })
const count = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 }))
const policies: fc.Arbitrary<KeepRules> = fc.record({
  ...{ last: count, hourly: count, daily: count, weekly: count, monthly: count, yearly: count },
})

/** What the wall clock of a zone shows, from Intl: as the number of ms since 1970 that UTC would show it at. */
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

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decideNotices, type Known, type Seen } from './decide.ts'

const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000)
const holds = (severity: 'critical' | 'warning', text = 'it is so'): Seen => ({
  name: 'worker',
  severity,
  found: { state: 'holds', text },
})
const well: Seen = { name: 'worker', severity: 'critical', found: { state: 'well' } }
const unknown: Seen = { name: 'worker', severity: 'critical', found: { state: 'unknown' } }

/**
 * The states of the notices when each of `seen` is found an hour after the one before, with the rows as they are kept.
 */
function tell(seen: readonly Seen[]): string[] {
  let known: Known[] = []
  return seen.map((one, hour) => {
    const notices = decideNotices(known, [one], at(hour))
    for (const { name, severity, text, since, state } of notices) {
      known = known.filter((row) => row.name !== name)
      if (state !== 'ended') known.push({ name, severity, text, since, told_at: at(hour) })
    }
    return notices.map(({ state }) => state).join()
  })
}

it('tells a critical condition once when it appears and once when it ends', () => {
  const critical = holds('critical')
  expect(tell([well, critical, critical, critical, well, well, critical])).toEqual([
    ...['', 'appeared', '', '', 'ended', '', 'appeared'],
  ])
  expect(tell(Array.from({ length: 60 }, () => critical)).filter((told) => told !== '')).toEqual(['appeared'])
})

it('reminds of a warning once a day', () => {
  const told = tell(Array.from({ length: 50 }, () => holds('warning')))
  expect(told.flatMap((state, hour) => (state === '' ? [] : [`${hour} ${state}`]))).toEqual([
    ...['0 appeared', '24 goes on', '48 goes on'],
  ])
})

it('takes what nobody could look at for neither a beginning nor an end', () => {
  const critical = holds('critical')
  expect(tell([unknown, critical, unknown, critical, unknown, well])).toEqual(['', 'appeared', '', '', '', 'ended'])
})

it('ends a problem that is no longer looked at', () => {
  const row = { name: 'of before', severity: 'warning' as const, text: 'x', since: at(0), told_at: at(0) }
  expect(decideNotices([row], [well], at(1))).toMatchObject([{ name: 'of before', state: 'ended', since: at(0) }])
})

it('never tells two beginnings or two ends in a row', () => {
  const one = fc.constantFrom(holds('critical'), well, unknown)
  fc.assert(
    fc.property(fc.array(one), (seen) => {
      const told = tell(seen).filter((state) => state !== '')
      expect(told.every((state, index) => state === (index % 2 === 0 ? 'appeared' : 'ended'))).toBe(true)
    }),
  )
})

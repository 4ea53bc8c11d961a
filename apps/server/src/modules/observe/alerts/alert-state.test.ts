import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultRules } from './alert-rules.ts'
import { type AlertDecision, decideAlert, firstAlertState } from './alert-state.ts'

const minute = 60_000
const begin = Date.parse('2026-06-01T00:00:00Z')
const { disk } = defaultRules

/** The decisions for one value each minute; undefined: no sample. */
function run(values: readonly (number | undefined)[], rule = disk): (AlertDecision & { minute: number })[] {
  let state = firstAlertState(new Date(begin))
  return values.map((value, at) => {
    const decision = decideAlert(rule, state, value, new Date(begin + at * minute))
    state = decision.after
    return { ...decision, minute: at }
  })
}
const repeat = <T>(value: T, times: number): T[] => Array.from({ length: times }, () => value)
const eventsOf = (steps: ReturnType<typeof run>) =>
  steps.flatMap(({ event, mail, minute: at }) => (event || mail ? [{ at, event, mail }] : []))

test('fires once it has held for as long as the rule wants, and clears below the clear level', () => {
  const steps = run([...repeat(0.95, 20), 0.87, 0.85, 0.84, 0.5])
  expect(eventsOf(steps)).toEqual([
    { at: 10, event: 'fired', mail: 'fired' },
    { at: 22, event: 'cleared', mail: 'cleared' },
  ])
  expect(steps[9]?.after.state).toBe('pending')
})

test('what does not hold does not fire', () => {
  expect(eventsOf(run([...repeat(0.95, 10), 0.89, ...repeat(0.95, 10)]))).toEqual([])
})

test('missing samples neither fire nor clear', () => {
  expect(eventsOf(run([...repeat(0.95, 5), ...repeat(undefined, 60), 0.95, 0.95]))).toEqual([])
  const steps = run([...repeat(0.95, 11), ...repeat(undefined, 60)])
  expect(eventsOf(steps)).toHaveLength(1)
  expect(steps.at(-1)?.after.state).toBe('firing')
})

test('a second firing within the hour is in the history and is mailed once the hour is over, while it lasts', () => {
  const steps = run([...repeat(0.95, 11), 0.1, ...repeat(0.95, 70)])
  expect(eventsOf(steps)).toEqual([
    { at: 10, event: 'fired', mail: 'fired' },
    { at: 11, event: 'cleared', mail: 'cleared' },
    { at: 22, event: 'fired', mail: undefined },
    { at: 70, event: undefined, mail: 'fired' },
  ])
})

test('a rule without mail is in the history, and mails that it fires once that is wanted', () => {
  const silent = run([...repeat(0.95, 12), 0.1], { ...disk, mail: false })
  expect(eventsOf(silent)).toEqual([
    { at: 10, event: 'fired', mail: undefined },
    { at: 12, event: 'cleared', mail: undefined },
  ])
  const firing = run(repeat(0.95, 12), { ...disk, mail: false }).at(-1)?.after ?? firstAlertState(new Date(begin))
  expect(decideAlert(disk, firing, 0.95, new Date(begin + 12 * minute))).toMatchObject({ mail: 'fired' })
})

test('after the clock was set back a rule starts over and is not stuck', () => {
  const pending = run(repeat(0.95, 5)).at(-1)?.after ?? firstAlertState(new Date(begin))
  const back = decideAlert(disk, pending, 0.95, new Date(begin - 24 * 60 * minute))
  expect(back.after).toMatchObject({ state: 'pending', since: new Date(begin - 24 * 60 * minute) })
})

const anyValues = fc.array(
  fc.oneof(
    fc.double({ min: 0.8, max: 1, noNaN: true }),
    fc.constant(undefined),
    fc.constantFrom(0.2, 0.84, 0.86, 0.89, 0.9, 0.91, 1),
  ),
  { maxLength: 240 },
)

test('whatever it does: fired and cleared take turns, and nothing fires that did not hold', () => {
  fc.assert(
    fc.property(anyValues, (values) => {
      const steps = run(values)
      const events = steps.flatMap(({ event }) => event ?? [])
      expect(events).toEqual(events.map((_, at) => (at % 2 === 0 ? 'fired' : 'cleared')))
      for (const { event, minute: at } of steps) {
        if (event === 'cleared') expect(values[at]).toBeLessThan(disk.clearBelow)
        if (event !== 'fired') continue
        const held = values.slice(at - disk.forMinutes, at + 1)
        expect(held).toHaveLength(disk.forMinutes + 1)
        expect(held.every((value) => value === undefined || value >= disk.threshold)).toBe(true)
      }
    }),
  )
})

test('an hour of flickering sends two mails at most, and two mails that it fired are an hour apart', () => {
  fc.assert(
    fc.property(anyValues, (values) => {
      const mails = run(values).flatMap(({ mail, minute: at }) => (mail ? [{ mail, at }] : []))
      expect(mails.filter(({ at }) => at < 60).length).toBeLessThanOrEqual(2)
      const fired = mails.filter(({ mail }) => mail === 'fired').map(({ at }) => at)
      for (const [index, at] of fired.entries()) expect(at - (fired[index - 1] ?? -60)).toBeGreaterThanOrEqual(60)
      // Nobody is mailed the end of what was never mailed.
      expect(mails.map(({ mail }) => mail)).toEqual(mails.map((_, at) => (at % 2 === 0 ? 'fired' : 'cleared')))
    }),
  )
})

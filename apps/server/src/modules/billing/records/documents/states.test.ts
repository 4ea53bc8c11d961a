import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  invoiceTransitions,
  isEnd,
  paymentTransitions,
  requireState,
  stateAfter,
  subscriptionTransitions,
} from './states.ts'

type AnyTable = Readonly<Record<string, Readonly<Record<string, string>>>>
interface Machine {
  table: AnyTable
  start: string
  ends: string[]
}
const subscription: Machine = { table: subscriptionTransitions, start: 'unpaid', ends: ['canceled', 'ended'] }
const invoice: Machine = { table: invoiceTransitions, start: 'open', ends: ['void'] }
const payment: Machine = { table: paymentTransitions, start: 'created', ends: ['succeeded', 'declined', 'canceled'] }

/** The states that events lead through, refused ones left out. */
function walk(table: AnyTable, start: string, events: string[]): string[] {
  const states = [start]
  for (const event of events) {
    const next = stateAfter(table, states.at(-1) ?? start, event)
    if (next !== undefined) states.push(next)
  }
  return states
}
const eventsOf = (table: AnyTable) => [...new Set(Object.values(table).flatMap((row) => Object.keys(row)))]
const history = ({ table, start }: Machine) =>
  fc.array(fc.constantFrom(...eventsOf(table)), { maxLength: 30 }).map((events) => walk(table, start, events))

describe.each(Object.entries({ subscription, invoice, payment }))('the states of a %s', (_, machine) => {
  it('are all reached, and left by no event only where they end', () => {
    const { table, start, ends } = machine
    const reached = new Set([start])
    for (const state of reached) for (const next of Object.values(table[state] ?? {})) reached.add(next)
    expect([...reached].sort()).toEqual(Object.keys(table).sort())
    expect(
      Object.keys(table)
        .filter((state) => isEnd(table, state))
        .sort(),
    ).toEqual(ends.toSorted())
  })

  it('refuse what they do not accept, and stay', () => {
    fc.assert(
      fc.property(history(machine), fc.constantFrom(...eventsOf(machine.table)), (states, event) => {
        const state = states.at(-1) ?? machine.start
        if (stateAfter(machine.table, state, event) !== undefined) return
        expect(() => requireState(machine.table, state, event)).toThrow(state)
      }),
    )
  })
})

describe('any history', () => {
  const count = (states: string[], state: string) => states.filter((one) => one === state).length

  it('sends a payment at most once', () => {
    fc.assert(
      fc.property(history(payment), (states) => {
        expect(count(states, 'sending')).toBeLessThanOrEqual(1)
      }),
    )
  })
  it('pays an invoice at most once each time that it is open, and never one that is void', () => {
    fc.assert(
      fc.property(history(invoice), (states) => {
        expect(count(states, 'paid')).toBeLessThanOrEqual(count(states, 'open'))
        // One that was opened again is not voided: lapseOrder says so, by how often that was.
        const isReopened = count(states, 'open') > 1
        expect(!isReopened && states.includes('void') && states.includes('paid')).toBe(false)
      }),
    )
  })
  it('cancels only what was never active, and ends only what was', () => {
    fc.assert(
      fc.property(history(subscription), (states) => {
        expect(states.includes('active')).toBe(!states.includes('canceled') && states.length > 1)
        if (states.includes('ended')) expect(states).toContain('active')
      }),
    )
  })
})

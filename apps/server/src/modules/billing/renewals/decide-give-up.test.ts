import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { invoiceTransitions, paymentTransitions, subscriptionTransitions } from '../records/documents/states.ts'
import { decideGiveUp } from './decide-give-up.ts'

const states = <State extends string>(transitions: Record<State, unknown>) =>
  fc.constantFrom(...(Object.keys(transitions) as State[])) // its own keys

const payment = fc.record({ state: states(paymentTransitions), method_id: fc.option(fc.constant('pm_1')) })
const isUnderWay = (one: { state: string; method_id: string | null }) =>
  one.state !== 'created' || one.method_id !== null
/** Items of three subscriptions: of two clusters and of the plan. */
const item = fc
  .record({ of: fc.constantFrom('a', 'b', 'plan'), state: states(subscriptionTransitions), instance: fc.nat(9) })
  .map(({ of, state, instance }) => ({
    state,
    subscription_id: of,
    cluster_id: of === 'plan' ? null : `cl_${of}`,
    instance_id: of === 'plan' ? null : `in_${of}${instance}`,
  }))
const facts = fc.record({
  bill: fc.record({
    invoice: fc.record({ state: states(invoiceTransitions) }),
    isHeldUp: fc.boolean(),
    open: fc.option(payment, { nil: undefined }),
  }),
  siblings: fc.array(item, { maxLength: 8 }),
  others: fc.array(payment, { maxLength: 2 }),
})

test('an open bill is given up with what is past due on it, whole, unless something may yet come of a payment', () => {
  fc.assert(
    fc.property(facts, fc.nat(8), ({ bill, siblings, others }, few) => {
      const items = siblings.slice(0, few)
      const step = decideGiveUp(bill, { items, siblings, others })
      const underWay = [bill.open, ...others].filter((one) => one !== undefined).find(isUnderWay)
      const isOpen = bill.invoice.state === 'open'
      expect(step.does === 'nothing').toBe(!isOpen)
      expect(step.does === 'wait').toBe(isOpen && (bill.isHeldUp || underWay !== undefined))
      if (step.does === 'wait') expect(step.payment).toBe(bill.isHeldUp ? undefined : underWay)
      if (step.does !== 'giveUp') return
      const overdue = items.filter(({ state }) => state === 'past_due').map((one) => one.subscription_id)
      expect(new Set(step.ends.map((end) => end.subscriptionId))).toEqual(new Set(overdue))
      expect(step.ends).toHaveLength(new Set(overdue).size)
      for (const { subscriptionId, clusterId, instanceIds } of step.ends) {
        const own = siblings.filter((one) => one.subscription_id === subscriptionId)
        expect(instanceIds).toEqual(own.flatMap(({ instance_id }) => instance_id ?? []))
        expect(clusterId === null).toBe(subscriptionId === 'plan')
      }
    }),
  )
})

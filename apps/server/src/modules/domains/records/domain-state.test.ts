import { type DomainStatus, domainStatuses } from '@atoll/contract/domains'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DomainEvent, domainEvents, isFinished, isProven, nextStatus, transitions } from './domain-state.ts'

const status = fc.constantFrom(...domainStatuses)
const event = fc.constantFrom(...domainEvents)
const rank = (of: DomainStatus) => domainStatuses.indexOf(of)
const back: readonly DomainEvent[] = ['restarted', 'restartedProven']
/** One step on, whatever stays, and what a wallet with an ID of its own skips. */
const stays: readonly DomainEvent[] = ['switched', 'ruled']

describe('the status machine of domains', () => {
  test('answers every event on every status as the table of the design says', () => {
    const cells = Object.fromEntries(domainStatuses.map((from) => [from, transitions[from]]))
    expect(cells).toEqual({
      WAIT_TXT: { proved: 'WAIT_NS' },
      WAIT_NS: {
        delegated: 'WAIT_REQUEST_VC',
        switched: 'WAIT_NS',
        restarted: 'WAIT_TXT',
        restartedProven: 'WAIT_NS',
      },
      WAIT_REQUEST_VC: { issued: 'WAIT_SUBMIT_VP', restarted: 'WAIT_TXT', restartedProven: 'WAIT_NS' },
      WAIT_SUBMIT_VP: {
        approved: 'WAIT_RULE_SET',
        approvedNamed: 'BINDING',
        restarted: 'WAIT_TXT',
        restartedProven: 'WAIT_NS',
      },
      WAIT_RULE_SET: { ruled: 'BINDING', restarted: 'WAIT_TXT', restartedProven: 'WAIT_NS' },
      BINDING: { serving: 'BIND', servingNamed: 'ALLOCATED', ruled: 'BINDING' },
      BIND: { named: 'ALLOCATED', ruled: 'BIND', switched: 'BIND' },
      ALLOCATED: { ruled: 'ALLOCATED', switched: 'ALLOCATED' },
    })
  })

  test('goes on, stays, or starts over: nothing else', () => {
    fc.assert(
      fc.property(status, event, (from, next) => {
        const to = nextStatus(from, next)
        if (to === undefined) return
        if (back.includes(next)) expect(rank(to)).toBeLessThanOrEqual(rank('WAIT_NS'))
        else if (to === from) expect(stays).toContain(next)
        else expect(rank(to)).toBeGreaterThan(rank(from))
      }),
    )
  })

  test('passes the proof before everything else, by any history', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let at: DomainStatus = 'WAIT_TXT'
        let proofs = 0
        let restarts = 0
        for (const next of events) {
          const to = nextStatus(at, next)
          if (to === undefined) continue
          if (next === 'proved') proofs += 1
          if (next === 'restarted') restarts += 1
          at = to
          expect(isProven(at)).toBe(proofs > restarts)
          if (isFinished(at)) expect(isProven(at)).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('reaches every status, and from each the last', () => {
    const next = (from: DomainStatus) =>
      domainEvents.map((one) => nextStatus(from, one)).filter((to): to is DomainStatus => to !== undefined)
    for (const start of domainStatuses) {
      const seen = new Set([start])
      for (const from of seen) for (const to of next(from)) seen.add(to)
      expect(seen).toContain('ALLOCATED')
      if (start === 'WAIT_TXT') expect(seen.size).toBe(domainStatuses.length)
    }
  })
})

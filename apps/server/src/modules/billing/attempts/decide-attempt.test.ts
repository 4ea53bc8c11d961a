import { money } from '@atoll/money'
import { describe, expect, test } from 'vitest'
import type { PaymentOutcome } from '../../payments/index.ts'
import { type PaymentState, paymentStates } from '../documents/states.ts'
import { type AttemptFacts, decideAttempt } from './decide-attempt.ts'

const ref = 'sb_1'
const outcomes: PaymentOutcome[] = [
  { kind: 'open', ref },
  { kind: 'done', ref, captured: money(1440, 'usd') },
  { kind: 'declined', ref, code: 'cardDeclined' },
  { kind: 'declined', ref: null, code: 'cardGone' },
  { kind: 'action', ref, url: 'http://localhost/' },
  { kind: 'canceled', ref },
  { kind: 'absent' },
  { kind: 'unknown', why: 'the line was cut' },
]
const facts = (state: PaymentState, more: Partial<AttemptFacts['payment']> = {}): AttemptFacts['payment'] => ({
  ...{ state, card_minor: 1440, currency: 'usd', method_id: 'pm_1', gateway: 'sandbox', gateway_ref: null },
  ...{ canceling_for: null, ...more },
})
const decide = (payment: AttemptFacts['payment'], outcome: PaymentOutcome | null = null) =>
  decideAttempt({ payment, hasCard: true, gatewayName: 'sandbox', outcome })

describe('what is done about a payment', () => {
  test('that is sent once: only one that was created is sent, whatever the gateway says', () => {
    expect(decide(facts('created'))).toEqual({ do: 'send' })
    for (const state of paymentStates.filter((one) => one !== 'created'))
      for (const outcome of outcomes) expect(decide(facts(state), outcome).do).not.toBe('send')
  })

  test.each(['sending', 'unknown', 'needs_action'] as const)('that is %s follows from the answer', (state) => {
    expect(outcomes.map((outcome) => decide(facts(state), outcome).do)).toEqual([
      ...['confirm', 'settle', 'end', 'end', 'awaitCustomer', 'end', 'end', 'askAgain'],
    ])
    // Asked to be ended: what is open is canceled, what was charged is still charged.
    const unwanted = facts(state, { canceling_for: 'lapse' })
    expect(outcomes.map((outcome) => decide(unwanted, outcome).do)).toEqual([
      ...['cancel', 'settle', 'end', 'end', 'cancel', 'end', 'end', 'askAgain'],
    ])
  })

  test.each(['declined', 'canceled'] as const)('that is %s gives back what was charged nevertheless', (state) => {
    expect(outcomes.map((outcome) => decide(facts(state), outcome).do)).toEqual([
      ...['cancel', 'creditLate', 'rest', 'rest', 'cancel', 'rest', 'rest', 'askAgain'],
    ])
  })

  test('that took another amount or currency is never paid by it', () => {
    for (const captured of [money(1439, 'usd'), money(1441, 'usd'), money(1440, 'cny')])
      expect(decide(facts('unknown'), { kind: 'done', ref, captured })).toMatchObject({ do: 'askAgain', isWrong: true })
  })

  test('with a card that is gone is not sent', () => {
    const gone = { payment: facts('created'), hasCard: false, gatewayName: 'sandbox', outcome: null }
    expect(decideAttempt(gone)).toMatchObject({ do: 'end', code: 'cardGone' })
  })

  test('of a gateway that is not in use is not sent, and not given up once it was', () => {
    expect(decide(facts('created', { gateway: 'stripe' }))).toMatchObject({ do: 'end', code: 'cardGone' })
    expect(decide(facts('sending', { gateway: 'stripe' }))).toMatchObject({ do: 'askAgain', isWrong: false })
  })
})

import { money } from '@atoll/money'
import { describe, expect, test } from 'vitest'
import type { PaymentOutcome } from '../../../payments/index.ts'
import { isEnd, type PaymentState, paymentStates, paymentTransitions } from '../../records/documents/states.ts'
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
  state,
  card_minor: 1440,
  currency: 'usd',
  method_id: 'pm_1',
  gateway: 'sandbox',
  gateway_ref: null,
  canceling_for: null,
  ...more,
})
const decide = (payment: AttemptFacts['payment'], outcome: PaymentOutcome | null = null) =>
  decideAttempt({ payment, hasCard: true, gatewayName: 'sandbox', outcome })

describe('what is done about a payment', () => {
  test('that is made again only where it is found nowhere, and no ref of it was ever kept', () => {
    expect(decide(facts('created'))).toEqual({ do: 'send' })
    for (const state of paymentStates.filter((one) => one !== 'created'))
      for (const outcome of outcomes) {
        const isAgain = outcome.kind === 'absent' && !isEnd(paymentTransitions, state)
        expect(decide(facts(state), outcome).do === 'send').toBe(isAgain)
        expect(decide(facts(state, { gateway_ref: ref }), outcome).do).not.toBe('send')
        expect(decide(facts(state, { canceling_for: 'lapse' }), outcome).do).not.toBe('send')
      }
  })

  test.each(['sending', 'unknown', 'needs_action'] as const)('that is %s follows from the answer', (state) => {
    expect(outcomes.map((outcome) => decide(facts(state), outcome).do)).toEqual([
      ...['confirm', 'settle', 'end', 'end', 'awaitCustomer', 'end', 'send', 'askAgain'],
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

  test.each([
    [false, 'cardGone'],
    ['disputed', 'cardDisputed'],
  ] as const)('with a card that is not to be charged, %s, is not sent, nor made again', (hasCard, code) => {
    const sent = { payment: facts('created'), hasCard, gatewayName: 'sandbox', outcome: null }
    expect(decideAttempt(sent)).toMatchObject({ do: 'end', code })
    const again = { ...sent, payment: facts('unknown'), outcome: { kind: 'absent' } as const }
    expect(decideAttempt(again)).toMatchObject({ do: 'end', code })
  })

  test('of a gateway that is not in use is not sent, and not given up once it was', () => {
    expect(decide(facts('created', { gateway: 'stripe' }))).toMatchObject({ do: 'end', code: 'cardGone' })
    expect(decide(facts('sending', { gateway: 'stripe' }))).toMatchObject({ do: 'askAgain', isWrong: false })
  })
})

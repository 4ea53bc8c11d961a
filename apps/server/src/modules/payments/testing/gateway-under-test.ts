import { randomBytes } from 'node:crypto'
import { money } from '@atoll/money'
import type { CardRef, PaymentGateway, PaymentOrder, SetupOrder, Webhook } from '../gateway/gateway.ts'

/** A gateway in a harness of its own. */
export interface GatewayUnderTest {
  gateway: PaymentGateway
  /** Types a number on the hosted page, a later date and a code; whether the page took it. */
  enterCard(url: string, number: string): Promise<boolean>
  /** Answers the page on which a payment is confirmed; false when it cannot be answered any more. */
  answerPage(url: string, verdict: 'confirm' | 'refuse'): Promise<boolean>
  /** The next request has no effect (`before`), or has one (`after`), and is never answered. */
  loseNext(when: 'before' | 'after'): void
  /** Amounts captured for a payment, one per capture, read without the driver. */
  listCaptures(paymentId: string): Promise<number[]>
  /** A webhook about a payment as the gateway sends it at that moment. */
  signWebhook(paymentId: string, at: Date): Webhook
  /** A webhook about a dispute of what was captured under `ref`. */
  signDispute(ref: string, at: Date): Webhook
  /** The bank decides the disputes of a capture. */
  decideDisputes(ref: string, verdict: 'won' | 'lost'): Promise<void>
  /** The operator gives a part back in the gateway's dashboard. */
  refundInDashboard(ref: string, minor: number): Promise<void>
  /** Refunds on their way to a card that accepts none fail. */
  failRefunds(ref: string): Promise<void>
  close(): Promise<void>
}

export const newName = (prefix: string) => `${prefix}_${randomBytes(10).toString('hex')}`
const returnUrl = 'http://localhost:4800/billing'

export function testSetup(): SetupOrder {
  return {
    setupId: newName('su'),
    sending: 1,
    userid: newName('did'),
    customer: undefined,
    currency: 'usd',
    locale: 'en-US',
    returnUrl,
  }
}

export function testOrder(card: CardRef, minor = 1440): PaymentOrder {
  return {
    paymentId: newName('pay'),
    sending: 1,
    card,
    amount: money(minor, 'usd'),
    description: 'ATL-1',
    pays: {
      document: newName('inv'),
      number: 'ATL-7K3QD-0001',
      period: '2026-09-01T00:00:00.000Z/2026-10-01T00:00:00.000Z',
    },
    locale: 'en-US',
    returnUrl,
  }
}

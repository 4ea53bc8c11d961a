import { expect, test } from 'vitest'
import type { Invoice, Payment } from './invoice/use-payment.ts'
import { type PaymentStage, paymentStage } from './payment-stage.ts'

const invoice = (status: string, actions: string[] = []) => ({ status, actions }) as Invoice
const payment = (status: string, more: object = {}) => ({ status, ...more }) as Payment
const open = invoice('open', ['pay', 'cancel'])
const card = { cardLast4: '4242' }

test.each<[PaymentStage, Invoice, Payment | undefined]>([
  ['pay', open, undefined],
  ['pay', open, payment('created')],
  ['pay', open, payment('declined', card)],
  ['pay', invoice('uncollectible', ['pay']), payment('declined', card)],
  ['wait', open, payment('created', card)],
  ['wait', open, payment('sending', card)],
  ['wait', open, payment('unknown', card)],
  ['approve', open, payment('needs_action', { ...card, actionUrl: 'https://bank.example/' })],
  ['paid', invoice('paid'), payment('succeeded')],
  ['paid', invoice('paid'), undefined],
  ['over', invoice('paid'), payment('declined', card)],
  ['over', invoice('void'), payment('canceled')],
])('the stage %s follows from the invoice and its payment', (stage, shown, tried) => {
  expect(paymentStage(shown, tried)).toBe(stage)
})

import { expect, test } from 'vitest'
import { comingOf } from './coming.ts'

test('mails stand with the bill of their moment, with the last of several, or by themselves', () => {
  const [first, second] = ['2027-03-01T10:00:00.000Z', '2027-04-01T10:00:00.000Z']
  const plan = { at: first, amount: 900 }
  const usage = { at: first, amount: 31 }
  const next = { at: second, amount: 900 }
  const mails = [
    { at: '2027-02-26T10:00:00.000Z', kind: 'renewalSoon' as const },
    { at: first, kind: 'receipt' as const },
    { at: first, kind: 'plan' as const },
    { at: '2027-03-29T10:00:00.000Z', kind: 'renewalSoon' as const },
  ]
  expect(comingOf([plan, usage, next], mails)).toEqual([
    { at: mails[0]?.at, mails: ['renewalSoon'] },
    { at: first, document: plan, mails: [] },
    { at: first, document: usage, mails: ['receipt', 'plan'] },
    { at: mails[3]?.at, mails: ['renewalSoon'] },
    { at: second, document: next, mails: [] },
  ])
})

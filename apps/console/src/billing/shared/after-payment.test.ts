import { beforeEach, expect, test, vi } from 'vitest'
import { cameFrom, leaveFor } from '../../kit/page/came-from.ts'
import { forgetAfterPayment, keepAfterPayment, readAfterPayment } from './after-payment.ts'
import { forgetLeft, leaveForCard, readLeft } from './pay-with/left-for-card.ts'

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})

test('a payment leads where it was asked for, and no other does', () => {
  keepAfterPayment('inv_1', { to: '/paid/cl_1' })
  expect(readAfterPayment('inv_2')).toBeUndefined()
  forgetAfterPayment('inv_2')
  expect(readAfterPayment('inv_1')).toEqual({ to: '/paid/cl_1' })
  keepAfterPayment('inv_2', { to: '/bill?status=open', text: 'Paid $7.20.' })
  expect(readAfterPayment('inv_1'), 'the last counts').toBeUndefined()
  expect(readAfterPayment('inv_2')).toEqual({ to: '/bill?status=open', text: 'Paid $7.20.' })
  forgetAfterPayment('inv_2')
  expect(readAfterPayment('inv_2')).toBeUndefined()
})

test.each(['no JSON', 'null', '{"invoiceId":"inv_1"}', '{"invoiceId":"inv_1","to":"https://elsewhere.example/"}'])(
  '%s leads nowhere',
  (text) => {
    kept.set('after-payment', text)
    expect(readAfterPayment('inv_1')).toBeUndefined()
  },
)

test('a browser that blocks storage keeps nothing, and fails at nothing', () => {
  const refuse = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  keepAfterPayment('inv_1', { to: '/paid/cl_1' })
  expect(readAfterPayment('inv_1')).toBeUndefined()
  forgetAfterPayment('inv_1')
  leaveFor('/bill')
  expect(cameFrom()).toBeUndefined()
  leaveForCard('/create', { cards: [], choices: {} })
  expect(readLeft()).toBeUndefined()
  forgetLeft()
})

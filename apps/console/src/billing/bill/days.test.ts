import { expect, test } from 'vitest'
import { billSearch } from './bill-search.ts'
import { spanOf } from './days.ts'

test('a span holds both its days, in the account’s zone', () => {
  expect(spanOf({ from: '2026-09-01', to: '2026-09-01' }, 'UTC')).toEqual({
    from: '2026-09-01T00:00:00.000Z',
    to: '2026-09-02T00:00:00.000Z',
  })
  expect(spanOf({ to: '2026-09-01' }, 'UTC+8')).toEqual({ to: '2026-09-01T16:00:00.000Z' })
  expect(spanOf({ from: '2026-09-09', to: '2026-09-01' }, 'UTC').from).toBe('2026-09-01T00:00:00.000Z')
  expect(spanOf({}, 'UTC')).toEqual({})
})

test('an address narrows the list of its tab, and by nothing that the server would refuse', () => {
  const invoices = { kind: 'prepayment', status: 'open', from: '2026-09-01', page: 2 }
  expect(billSearch(invoices)).toEqual(invoices)
  expect(billSearch({ tab: 'payments', kind: 'card', status: 'declined' })).toMatchObject({ kind: 'card' })
  expect(billSearch({ tab: 'payments', kind: 'prepayment', status: 'open' })).toEqual({ tab: 'payments' })
  expect(billSearch({ tab: 'boats', from: '2026-02-31', to: 'today' })).toEqual({})
})

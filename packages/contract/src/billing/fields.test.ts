import { expect, test } from 'vitest'
import { InvoiceId } from './fields.ts'

test.each([
  ['inv_abcdefgh234567abcdef', true],
  // As the first ones were named.
  ['iv_abcdefgh234567abcdef', true],
  ['in_abcdefgh234567abcdef', false],
  ['inv_', false],
  ['pay_abcdefgh', false],
])('%s names an invoice: %s', (id, isOne) => {
  expect(InvoiceId.safeParse(id).success).toBe(isOne)
})

import { expect, test } from 'vitest'
import type { ChargedLine } from './charged-lines.ts'
import { priceInfoOf } from './line-names.ts'

const title = { 'en-US': 'Basic', 'zh-CN': 'Basic' }
/** Metered products are charged on the terms of the plan whose quota they exceed. */
const ofPlan = (product_type: ChargedLine['product_type']) =>
  ({ product_type, terms: { kind: 'plan', title, amount: 900 } }) as ChargedLine // all that a name uses

test.each([
  ['Instance', 'Basic plan', 'Basic 套餐', 900],
  ['cloud_traffic', 'Traffic above the plan’s quota', '超出套餐额度的流量', 0],
] as const)('a line of %s has a name of its own', (product, english, chinese, amount) => {
  expect(priceInfoOf(ofPlan(product), 'en-US')).toEqual({ productName: english, amount })
  expect(priceInfoOf(ofPlan(product), 'zh-CN')).toEqual({ productName: chinese, amount })
})

import type { Explain } from '@atoll/contract/billing'

export type { Explain }
export type PrepaidExplain = Extract<Explain, { rule: 'prepaid' }>
export type UsageExplain = Extract<Explain, { rule: 'usage' }>
export type DiscountExplain = NonNullable<Explain['discount']>

/** Texts of this module's own field checks, by the key that a schema carries as its message. */
import type { FieldReasons } from '../wire/field-reasons.ts'
import { words } from '../wire/words.ts'

export const billingFieldReasons = {
  subscriptionId: words('must be an id that starts with sub_', '必须是以 sub_ 开头的 ID'),
  invoiceId: words('must be an id that starts with inv_', '必须是以 inv_ 开头的 ID'),
  paymentId: words('must be an id that starts with pay_', '必须是以 pay_ 开头的 ID'),
  quantity: words('must be a quantity such as 12.5, with up to six decimals', '必须是数量，例如 12.5，最多六位小数'),
  laterThanFrom: words('must be later than from', '必须晚于 from'),
} as const satisfies FieldReasons

export type BillingFieldReason = keyof typeof billingFieldReasons

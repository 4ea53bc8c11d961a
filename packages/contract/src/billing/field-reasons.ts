/** What this module's own checks of fields say, by the key that its schemas carry as their message. */
import type { FieldReasons } from '../wire/field-reasons.ts'

export const billingFieldReasons = {
  subscriptionId: { 'en-US': 'must be an id that starts with sub_', 'zh-CN': '必须是以 sub_ 开头的 ID' },
  invoiceId: { 'en-US': 'must be an id that starts with inv_', 'zh-CN': '必须是以 inv_ 开头的 ID' },
  paymentId: { 'en-US': 'must be an id that starts with pay_', 'zh-CN': '必须是以 pay_ 开头的 ID' },
  quantity: {
    'en-US': 'must be a quantity such as 12.5, with up to six decimals',
    'zh-CN': '必须是数量，例如 12.5，最多六位小数',
  },
  laterThanFrom: { 'en-US': 'must be later than from', 'zh-CN': '必须晚于 from' },
} as const satisfies FieldReasons

export type BillingFieldReason = keyof typeof billingFieldReasons

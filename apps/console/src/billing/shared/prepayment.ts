import type { InvoiceProduct } from '@atoll/contract/billing'
import type { TextKey } from '../../locales/text.ts'

/** Charged ahead, which is `Instance`, or afterwards, which is everything else (spec §3). */
export function prepayment(productType: InvoiceProduct | 'usage'): TextKey {
  return productType === 'Instance' ? 'money.prepayment' : 'money.postpayment'
}

/** Settings of who sells. */

import { z } from 'zod'
import { List, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const billingSettings = {
  ATOLL_ISSUER: setting(
    z.string().min(1).max(100).optional(),
    undefined,
    'Who sells, as invoices name it.',
    'the name of the product',
  ),
  ATOLL_ISSUER_ADDRESS: setting(
    List.refine((lines) => lines.length <= 5, 'must have at most 5 parts').optional(),
    undefined,
    'Address of who sells, as invoices print it: a line for each part between commas.',
    'none',
  ),
}

export function billingConfig(values: ValuesOf<typeof billingSettings>, { product }: { product: string }) {
  return { issuer: { product, name: values.ATOLL_ISSUER ?? product, address: values.ATOLL_ISSUER_ADDRESS ?? [] } }
}

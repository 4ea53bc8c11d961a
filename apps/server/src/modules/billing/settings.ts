/** Settings of who sells. */

import { z } from 'zod'
import { Count, List, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const billingSettings = {
  ATOLL_ISSUER: setting(
    z.string().min(1).max(100).optional(),
    undefined,
    'Seller, as invoices name it.',
    'the name of the product',
  ),
  ATOLL_ISSUER_ADDRESS: setting(
    List.refine((lines) => lines.length <= 5, 'must have at most 5 parts').optional(),
    undefined,
    'Address of the seller, as invoices print it: a line for each part between commas.',
    'none',
  ),
  ATOLL_USAGE_CORRECTION_DAYS: setting(
    Count(0, 3650),
    '90',
    'Days after its end in which a billed period of usage is still corrected when its readings change.',
  ),
}

export function billingConfig(values: ValuesOf<typeof billingSettings>, { product }: { product: string }) {
  return {
    usageCorrectionDays: values.ATOLL_USAGE_CORRECTION_DAYS,
    issuer: { product, name: values.ATOLL_ISSUER ?? product, address: values.ATOLL_ISSUER_ADDRESS ?? [] },
  }
}

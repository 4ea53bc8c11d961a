/** Texts of this module's own field checks, by the key that a schema carries as its message. */
import type { FieldReasons } from '../wire/field-reasons.ts'
import { words } from '../wire/words.ts'

export const paymentsFieldReasons = {
  paymentMethodId: words('must be an id that starts with pm_', '必须是以 pm_ 开头的 ID'),
  consolePage: words(
    'must be the path of a page of this console, such as /billing',
    '必须是本控制台的页面路径，例如 /billing',
  ),
} as const satisfies FieldReasons

export type PaymentsFieldReason = keyof typeof paymentsFieldReasons

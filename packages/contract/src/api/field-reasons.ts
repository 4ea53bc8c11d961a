import { accountsFieldReasons } from '../accounts/field-reasons.ts'
import { auditFieldReasons } from '../audit/field-reasons.ts'
import { backupsFieldReasons } from '../backups/field-reasons.ts'
import { billingFieldReasons } from '../billing/field-reasons.ts'
import { clustersFieldReasons } from '../clusters/field-reasons.ts'
import { identityFieldReasons } from '../identity/field-reasons.ts'
import { observeFieldReasons } from '../observe/field-reasons.ts'
import { paymentsFieldReasons } from '../payments/field-reasons.ts'
import type { Locale } from '../wire/constants.ts'
import { type FieldReasons, wireFieldReasons } from '../wire/field-reasons.ts'

const fieldReasons: FieldReasons = {
  ...wireFieldReasons,
  ...accountsFieldReasons,
  ...auditFieldReasons,
  ...backupsFieldReasons,
  ...billingFieldReasons,
  ...clustersFieldReasons,
  ...identityFieldReasons,
  ...observeFieldReasons,
  ...paymentsFieldReasons,
}

/** The text of a schema's `message` for a reader of `locale`: the row of that key, or the message unchanged. */
export function fieldReasonIn(message: string, locale: Locale): string {
  return Object.hasOwn(fieldReasons, message) ? (fieldReasons[message]?.[locale] ?? message) : message
}

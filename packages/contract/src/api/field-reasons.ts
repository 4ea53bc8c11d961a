import { accountsFieldReasons } from '../accounts/field-reasons.ts'
import { auditFieldReasons } from '../audit/field-reasons.ts'
import { backupsFieldReasons } from '../backups/field-reasons.ts'
import { billingFieldReasons } from '../billing/field-reasons.ts'
import { clustersFieldReasons } from '../clusters/field-reasons.ts'
import { identityFieldReasons } from '../identity/field-reasons.ts'
import { observeFieldReasons } from '../observe/field-reasons.ts'
import { paymentsFieldReasons } from '../payments/field-reasons.ts'
import { wireFieldReasons } from '../wire/field-reasons.ts'

export const fieldReasons = [
  ...wireFieldReasons,
  ...accountsFieldReasons,
  ...auditFieldReasons,
  ...backupsFieldReasons,
  ...billingFieldReasons,
  ...clustersFieldReasons,
  ...identityFieldReasons,
  ...observeFieldReasons,
  ...paymentsFieldReasons,
] as const

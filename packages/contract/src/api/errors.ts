/**
 * The error catalogue: every expected refusal of the product, with the code its envelope carries. Each module's rows
 * stand with the module (`<module>/refusals.ts`) and are joined here; `errorMessage` of `@atoll/texts/refusals` has the
 * sentences.
 */

import { accountsRefusals } from '../accounts/refusals.ts'
import { agentsRefusals } from '../agents/refusals.ts'
import { announcementsRefusals } from '../announcements/refusals.ts'
import { auditRefusals } from '../audit/refusals.ts'
import { backupsRefusals } from '../backups/refusals.ts'
import { billingRefusals } from '../billing/refusals.ts'
import { clustersRefusals } from '../clusters/refusals.ts'
import { credentialsRefusals } from '../credentials/refusals.ts'
import { domainsRefusals } from '../domains/refusals.ts'
import { identityRefusals } from '../identity/refusals.ts'
import { paymentsRefusals } from '../payments/refusals.ts'
import { staffRefusals } from '../staff/refusals.ts'
import { systemRefusals } from '../staff/system-refusals.ts'
import { type Refusals, wireRefusals } from '../wire/refusals.ts'

export const errorCatalogue = {
  ...wireRefusals,
  ...accountsRefusals,
  ...agentsRefusals,
  ...announcementsRefusals,
  ...auditRefusals,
  ...backupsRefusals,
  ...billingRefusals,
  ...clustersRefusals,
  ...credentialsRefusals,
  ...domainsRefusals,
  ...identityRefusals,
  ...paymentsRefusals,
  ...staffRefusals,
  ...systemRefusals,
} as const satisfies Refusals

export type ErrorKey = keyof typeof errorCatalogue

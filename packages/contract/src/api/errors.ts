/**
 * The error catalogue: every expected refusal of the product, with the code its envelope carries and its text in both
 * languages. Each module's rows stand with the module (`<module>/refusals.ts`) and are joined here.
 */

import { accountsObjects, accountsRefusals } from '../accounts/refusals.ts'
import { agentsRefusals } from '../agents/refusals.ts'
import { announcementsObjects, announcementsRefusals } from '../announcements/refusals.ts'
import { auditRefusals } from '../audit/refusals.ts'
import { backupsObjects, backupsRefusals } from '../backups/refusals.ts'
import { billingObjects, billingRefusals } from '../billing/refusals.ts'
import { clustersObjects, clustersParams, clustersRefusals } from '../clusters/refusals.ts'
import { credentialsObjects, credentialsRefusals } from '../credentials/refusals.ts'
import { domainsObjects, domainsRefusals } from '../domains/refusals.ts'
import { domainStatusLabels } from '../domains/status.ts'
import { identityRefusals } from '../identity/refusals.ts'
import { paymentsObjects, paymentsRefusals } from '../payments/refusals.ts'
import { staffObjects, staffRefusals } from '../staff/refusals.ts'
import { systemRefusals } from '../staff/system-refusals.ts'
import type { Locale } from '../wire/constants.ts'
import { type Refusals, wireRefusals } from '../wire/refusals.ts'
import { fillText, type ParamLabels, type TextParams } from './fill-text.ts'

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

const labels: ParamLabels = {
  ...clustersParams,
  domainStatus: domainStatusLabels,
  object: {
    ...accountsObjects,
    ...announcementsObjects,
    ...backupsObjects,
    ...billingObjects,
    ...clustersObjects,
    ...credentialsObjects,
    ...domainsObjects,
    ...paymentsObjects,
    ...staffObjects,
  },
}

/**
 * The sentence of `key` in `locale` with `{name}`s filled from `params`; an absent parameter leaves its braces.
 * A wire value that has words of its own, such as a status, is named by them.
 */
export function errorMessage(key: ErrorKey, locale: Locale, params: TextParams = {}): string {
  return fillText(errorCatalogue[key][locale], locale, params, labels)
}

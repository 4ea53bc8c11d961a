import { describe, expect, test } from 'vitest'
import { accountsRefusals } from '../accounts/refusals.ts'
import { signInRefusals } from '../accounts/sign-in-refusals.ts'
import { agentsRefusals } from '../agents/refusals.ts'
import { announcementsRefusals } from '../announcements/refusals.ts'
import { auditRefusals } from '../audit/refusals.ts'
import { backupsRefusals } from '../backups/refusals.ts'
import { billingRefusals } from '../billing/refusals.ts'
import { actionRefusals } from '../clusters/action-refusals.ts'
import { clustersRefusals } from '../clusters/refusals.ts'
import { credentialsRefusals } from '../credentials/refusals.ts'
import { domainsRefusals } from '../domains/refusals.ts'
import { identityRefusals } from '../identity/refusals.ts'
import { paymentsRefusals } from '../payments/refusals.ts'
import { staffRefusals } from '../staff/refusals.ts'
import { systemRefusals } from '../staff/system-refusals.ts'
import { codes } from '../wire/envelope.ts'
import { wireRefusals } from '../wire/refusals.ts'
import { errorCatalogue } from './errors.ts'
import { fieldReasons } from './field-reasons.ts'
import { reasonKeys } from './reasons.ts'

test.each(Object.entries(errorCatalogue))('%s is refused with a code', (_, { code }) => {
  expect(Object.values(codes)).toContain(code)
  expect(code).not.toBe(codes.ok)
})

describe('what is joined of the modules', () => {
  test('refusals: no module takes the key of another', () => {
    const modules = [
      wireRefusals,
      accountsRefusals,
      agentsRefusals,
      announcementsRefusals,
      auditRefusals,
      backupsRefusals,
      billingRefusals,
      clustersRefusals,
      credentialsRefusals,
      domainsRefusals,
      identityRefusals,
      paymentsRefusals,
      staffRefusals,
      systemRefusals,
    ]
    const keys = modules.flatMap((rows) => Object.keys(rows))
    expect(keys.filter((key, index) => keys.indexOf(key) < index)).toEqual([])
    // None is left out above.
    expect(new Set(keys)).toEqual(new Set(Object.keys(errorCatalogue)))
  })

  test('reasons: no module takes the key of another', () => {
    expect(new Set(reasonKeys).size).toBe(reasonKeys.length)
    expect(new Set(fieldReasons).size).toBe(fieldReasons.length)
  })

  test('rows that a module spreads take none of its own keys', () => {
    expect(accountsRefusals).toMatchObject(signInRefusals)
    expect(clustersRefusals).toMatchObject(actionRefusals)
  })
})

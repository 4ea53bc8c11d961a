import { describe, expect, test } from 'vitest'
import { accountsRefusals } from '../accounts/refusals.ts'
import { signInRefusals } from '../accounts/sign-in-refusals.ts'
import { agentsRefusals } from '../agents/refusals.ts'
import { auditRefusals } from '../audit/refusals.ts'
import { backupsRefusals } from '../backups/refusals.ts'
import { billingRefusals } from '../billing/refusals.ts'
import { actionRefusals } from '../clusters/action-refusals.ts'
import { clustersRefusals } from '../clusters/refusals.ts'
import { identityRefusals } from '../identity/refusals.ts'
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
  const tables = {
    refusals: [
      wireRefusals,
      accountsRefusals,
      agentsRefusals,
      auditRefusals,
      backupsRefusals,
      billingRefusals,
      clustersRefusals,
      identityRefusals,
    ],
  }
  test.each(Object.entries(tables))('%s: no module takes the key of another', (_, modules) => {
    const keys = modules.flatMap((rows) => Object.keys(rows))
    expect(new Set(keys).size).toBe(keys.length)
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

import { expect, test } from 'vitest'
import type { z } from 'zod'
import { AccountClosing } from '../accounts/closing.ts'
import { AuditRecord } from '../audit/audit-calls.ts'
import { domainDetail } from '../domains/domains.ts'

/** Fields of answers that 0.1.0 gives without them, and what a page reads then. */
const added: [string, z.ZodType, unknown][] = [
  ['what a closing withholds', AccountClosing.shape.money.shape.owed, 0],
  ['that an audit record was erased', AuditRecord.shape.isErased, false],
  ['the own records of a domain', domainDetail.data.shape.ownRecords, null],
]

test.each(added)('an answer of an older server is read without %s', (_, field, read) => {
  expect(field.safeParse(undefined)).toEqual({ success: true, data: read })
})

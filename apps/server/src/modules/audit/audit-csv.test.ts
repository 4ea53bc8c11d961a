import type { AuditRecord } from '@atoll/contract/audit'
import { expect, test } from 'vitest'
import { auditColumns } from './audit-csv.ts'

const record: AuditRecord = {
  seq: 7,
  at: '2026-11-21T10:00:00.000Z',
  actor: { userid: 'did:key:zA', terminusName: 'reef@atoll.test' },
  sessionId: 'ss_abcdefgh',
  ip: '::1',
  action: 'cluster.start',
  object: { kind: 'cluster', id: 'cl_abcdefgh', name: 'Rangiroa', owner: { userid: 'did:key:zB', terminusName: null } },
  before: { status: 'stopped' },
  after: null,
  isErased: false,
}

test('a record is exported with what it says', () => {
  const fields = Object.entries(auditColumns).map(([head, read]) => [head, read(record)])
  expect(Object.fromEntries(fields)).toMatchObject({
    number: 7,
    actor: 'did:key:zA',
    action: 'cluster.start',
    before: '{"status":"stopped"}',
    after: null,
  })
})

test('nobody is the system', () => {
  expect(auditColumns['actor']?.({ ...record, actor: null })).toBe('system')
})

import type { AuditRecord } from '@atoll/contract/audit'
import { expect, test } from 'vitest'
import { csvHead, csvLine } from './audit-csv.ts'

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
}

/** A CSV line as RFC 4180 reads it. */
function parse(line: string): string[] {
  return [...line.matchAll(/"((?:[^"]|"")*)"(?:,|\r\n$)/g)].map(([, field = '']) => field.replaceAll('""', '"'))
}

test('a record is a line with a field under each head', () => {
  const heads = parse(csvHead())
  const fields = parse(csvLine(record))
  expect(fields).toHaveLength(heads.length)
  expect(Object.fromEntries(heads.map((head, at) => [head, fields[at]]))).toMatchObject({
    number: '7',
    actor: 'did:key:zA',
    action: 'cluster.start',
    before: '{"status":"stopped"}',
    after: '',
  })
})

test.each(['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])(
  'what begins like a formula is text: %j',
  (name) => {
    const fields = parse(csvLine({ ...record, object: { ...record.object, name } }))
    expect(fields).toContain(`'${name}`)
  },
)

test('quotes, commas and line ends stay inside their field', () => {
  const name = 'a "b", c\nd, 珊瑚'
  const line = csvLine({ ...record, object: { ...record.object, name } })
  expect(parse(line)).toContain(name)
  expect(parse(line)).toHaveLength(parse(csvHead()).length)
})

test('nobody is the system', () => {
  expect(parse(csvLine({ ...record, actor: null }))).toContain('system')
})

import { mostOwnRecords } from '@atoll/contract/domains'
import { type Answer, decode, encode } from 'dns-packet'
import { expect, test } from 'vitest'
import { rcodes } from '../serving/codes.ts'
import type { Ask } from './dns-client.ts'
import { listOwnRecords } from './list-own-records.ts'

const domain = 'reef.example'
const resolvers = [{ name: 'one', address: '192.0.2.53', port: 53 }]

/** Of a resolver that has `found`, and follows aliases. */
function listIn(found: readonly Answer[], below: readonly string[] = []) {
  const answering: Ask = async (_server, { name, type }) => {
    const alias = found.find((record) => record.type === 'CNAME' && record.name === name)
    const at = alias?.type === 'CNAME' ? alias.data : name
    const answers = found.filter((record) => record === alias || (record.type === type && record.name === at))
    return { ...decode(encode({ type: 'response' })), code: rcodes.NOERROR, answers }
  }
  return listOwnRecords(answering, resolvers, domain, below)
}

const text = (name: string, data: string): Answer => ({ type: 'TXT', name, data })

test('all texts of a domain are listed, and more than its zone takes, so that none is left out unseen', async () => {
  for (const count of [60, mostOwnRecords + 9]) {
    const [texts] = (await listIn(Array.from({ length: count }, (_, index) => text(domain, `proof=${index}`)))) ?? []
    expect(texts?.values).toHaveLength(Math.min(count, mostOwnRecords + 1))
  }
})

test('a text that is longer than a zone takes is not made to fit, and one that says nothing is no record', async () => {
  const long = 'k'.repeat(2001)
  expect(await listIn([text(domain, ''), text(domain, long)])).toEqual([{ type: 'TXT', name: domain, values: [long] }])
})

test('an alias is a record of mail where it leads to a text, and not where a wildcard leads here', async () => {
  const names = [`_dmarc.${domain}`, `key._domainkey.${domain}`] as const
  const found: Answer[] = [
    { type: 'CNAME', name: names[0], data: 'edge.host.example' },
    { type: 'CNAME', name: names[1], data: 'key.mail.example' },
    text('key.mail.example', 'v=DKIM1; p=k'),
  ]
  expect(await listIn(found, names)).toEqual([{ type: 'CNAME', name: names[1], values: ['key.mail.example'] }])
})

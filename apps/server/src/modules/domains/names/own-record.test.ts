import { expect, it } from 'vitest'
import { parseOwnRecord } from './own-record.ts'

const domain = 'lagoon.example'

it.each([
  ['MX', '@', '10  Mail.Other.example.', domain, '10 mail.other.example'],
  ['MX', '', '0 .', domain, '0 .'],
  ['TXT', 'lagoon.example.', '"v=spf1 mx" " -all"', domain, 'v=spf1 mx -all'],
  ['TXT', '@', '" v=spf1 " "-all "', domain, 'v=spf1 -all'],
  ['TXT', '_DMARC', 'v=DMARC1; p=none', '_dmarc.lagoon.example', 'v=DMARC1; p=none'],
  ['CAA', '@', '0 ISSUE ca.example', domain, '0 issue "ca.example"'],
  [
    'CNAME',
    'key1._domainkey.lagoon.example',
    'Key1.Mail.example.',
    'key1._domainkey.lagoon.example',
    'key1.mail.example',
  ],
] as const)('reads %s at %j, in a form that is read as the same again', (type, name, value, fullName, read) => {
  const record = { type, name: fullName, value: read }
  expect(parseOwnRecord(domain, { type, name, value })).toEqual(record)
  expect(parseOwnRecord(domain, record)).toEqual(record)
})

it.each([
  ['TXT', 'lena', 'a host of a cluster'],
  ['CNAME', '@', 'mail.example'],
  ['TXT', '_acme-challenge.lena', 'x'],
  ['TXT', '_atoll-abcdefgh', 'x'],
  ['TXT', '_a b', 'x'],
] as const)('refuses %s at %j', (type, name, value) => {
  expect(parseOwnRecord(domain, { type, name, value })).toMatchObject({ fault: 'ownRecordName' })
})

it.each([
  ['MX', 'mail.other.example'],
  ['MX', '70000 mail.other.example'],
  ['MX', '10 _mail.other.example'],
  ['CAA', 'letsencrypt.org'],
  ['TXT', 'é'.repeat(1001)],
  ['TXT', '"" " "'],
] as const)('refuses the value of %s %.20s', (type, value) => {
  expect(parseOwnRecord(domain, { type, name: '@', value })).toMatchObject({ fault: 'ownRecordValue' })
})

import { expect, test } from 'vitest'
import { allowsIssuer, type CaaRecord } from './see-caa.ts'

const accountUri = 'https://ca.example/acme/acct/7'
const question = { issuer: 'ca.example', method: 'http-01', accountUri } as const
const issue = (value: string): CaaRecord => ({ tag: 'issue', value })
const wild = (value: string): CaaRecord => ({ tag: 'issuewild', value })

test.each<[string, boolean, CaaRecord[], wildcard?: boolean]>([
  ['nothing', true, []],
  ['only where to report', true, [{ tag: 'iodef', value: 'mailto:a@b.example' }]],
  ['nobody', false, [issue(';')]],
  ['another authority', false, [issue('other.example')]],
  ['ours, in another case', true, [issue('other.example'), { tag: 'Issue', value: ' CA.example ' }]],
  ['our way to prove', true, [issue('ca.example; validationmethods=dns-01,http-01')]],
  ['another way to prove', false, [issue('ca.example; validationmethods=dns-01')]],
  ['another way in one of two', true, [issue('ca.example; validationmethods=dns-01'), issue('ca.example')]],
  ['our account', true, [issue(`ca.example; accounturi=${accountUri}`)]],
  ['another account', false, [issue('ca.example;accounturi=https://ca.example/acme/acct/8')]],
  ['two accounts', false, [issue(`ca.example; accounturi=${accountUri}; accounturi=https://ca.example/acme/acct/8`)]],
  ['an unknown tag', true, [{ flags: 0, tag: 'future', value: 'x' }]],
  ['an unknown tag that is critical', false, [issue('ca.example'), { flags: 128, tag: 'future', value: 'x' }]],
  ['a known tag that is critical', true, [{ flags: 128, tag: 'issue', value: 'ca.example' }]],
  ['others for wildcards, of none', true, [issue('ca.example'), wild('other.example')]],
  ['others for wildcards, of one', false, [issue('ca.example'), wild('other.example')], true],
  ['ours for wildcards alone, of one', true, [issue(';'), wild('ca.example')], true],
])('records that allow %s: %s', (_, expected, records, wildcard = false) => {
  expect(allowsIssuer(records, question, wildcard)).toBe(expected)
})

test('what is not asked for is not judged', () => {
  const records = [issue('ca.example; validationmethods=dns-01; accounturi=https://ca.example/acme/acct/8')]
  expect(allowsIssuer(records, { issuer: 'ca.example' }, false)).toBe(true)
})

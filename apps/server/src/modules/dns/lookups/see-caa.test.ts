import { type Answer, decode, encode } from 'dns-packet'
import { expect, test } from 'vitest'
import { rcodes } from '../serving/codes.ts'
import type { Ask, Reply } from './dns-client.ts'
import { allowsIssuer, type CaaRecord, seeCaa } from './see-caa.ts'

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

const resolvers = [
  { name: 'one', address: '192.0.2.53', port: 53 },
  { name: 'two', address: '192.0.2.54', port: 53 },
]
/** A reply, with what is read of one. */
const reply = (code: number, answers: Answer[] = []): Reply => ({
  ...decode(encode({ type: 'response' })),
  code,
  answers,
})
const forbidding: Answer[] = [{ type: 'CAA', name: 'reef.example', data: { flags: 0, tag: 'issue', value: ';' } }]

test.each([
  ['SERVFAIL', reply(rcodes.SERVFAIL)],
  ['silence', undefined],
])('of a name for which %s is all that comes, nothing above it decides', async (_, failure) => {
  const asked: string[] = []
  const answering: Ask = async (_server, { name }) => {
    asked.push(name)
    if (name === 'a.reef.example') return failure
    return reply(rcodes.NOERROR, forbidding)
  }
  expect(await seeCaa(answering, resolvers, 'a.reef.example', { issuer: 'ca.example' })).toBeUndefined()
  expect(asked).toEqual(['a.reef.example', 'a.reef.example'])
})

test('of a name that has none, the records above decide; a resolver that fails is not the only one', async () => {
  const answering: Ask = async ({ address }, { name }) => {
    if (address === '192.0.2.53') return reply(rcodes.SERVFAIL)
    return reply(rcodes.NOERROR, name === 'a.reef.example' ? [] : forbidding)
  }
  expect(await seeCaa(answering, resolvers, 'a.reef.example', { issuer: 'ca.example' })).toMatchObject({
    kind: 'caaForbids',
    name: 'reef.example',
  })
})

import { createScriptedWallet } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { findApprovalFault } from './verify-approval.ts'

const wallet = createScriptedWallet()
const customer = `ac_${'a'.repeat(32)}`
const statement = {
  topic: 'approve',
  act: 'credit',
  object: 'cash',
  customer,
  nameHash: 'a'.repeat(64),
  amount: 1250,
  currency: 'usd',
  reason: 'was down',
  terms: 'b'.repeat(64),
  nonce: 'c'.repeat(32),
  exp: 1_800_000_000,
}
const approval = wallet.sign({ ...statement, iss: wallet.kid })
const facts = { amount: '12.50', currency: 'usd', kind: 'cash', reason: 'was down', approval }

const record = (after: object, objectId = customer) => ({
  seq: 7,
  at: '',
  session_id: null,
  action: 'support.credit',
  object_kind: 'support',
  commitment: '',
  erased: null,
  replaced: null,
  hash: '',
  personal: {
    salt: '',
    actor: wallet.did,
    ip: null,
    object_id: objectId,
    object_name: null,
    owner: null,
    before: null,
    after: JSON.stringify(after),
  },
})

test('a record says what its approval was signed for, and no other record has that', async () => {
  const used = new Set<string>()
  expect(await findApprovalFault(record(facts), used)).toBeUndefined()
  expect(await findApprovalFault(record(facts), used)).toContain('used in a record before')
})

test.each([
  ['another amount', record({ ...facts, amount: '99.00' })],
  ['another currency', record({ ...facts, currency: 'cny' })],
  ['another reason', record({ ...facts, reason: 'a gift' })],
  ['another customer', record(facts, `ac_${'b'.repeat(32)}`)],
])('%s than was signed is found', async (_, forged) => {
  expect(await findApprovalFault(forged, new Set())).toContain('says another thing')
})

test('of a rollout, which is about no customer, the version is what was signed for', async () => {
  const signed = { ...statement, act: 'rolloutStart', object: 'agent 1.1.0', amount: undefined, currency: undefined }
  const started = (version: string) => ({
    ...record({ version, reason: 'was down', approval: wallet.sign({ ...signed, iss: wallet.kid }) }, 'ro_1'),
    action: 'support.rolloutStart',
  })
  expect(await findApprovalFault(started('1.1.0'), new Set())).toBeUndefined()
  expect(await findApprovalFault(started('1.2.0'), new Set())).toContain('says another thing')
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { type AccountState, readStoredAccounts, withAccount, withoutAccount } from './stored-accounts.ts'

const [first, second, third] = [exampleAccount(0), exampleAccount(1), exampleAccount(2)]
const text = (value: unknown) => JSON.stringify(value)

test('nothing stored is no account and nothing to repair', () => {
  expect(readStoredAccounts(null, null)).toEqual({ list: [], index: -1, repaired: undefined })
})

test('what was written is read again', () => {
  expect(readStoredAccounts(text([first, second]), '1')).toEqual({
    list: [first, second],
    index: 1,
    repaired: undefined,
  })
  expect(readStoredAccounts('[]', '-1')).toEqual({ list: [], index: -1, repaired: undefined })
})

test.each([
  ['not JSON', '{"userid":', undefined, []],
  ['not a list', '{}', undefined, []],
  ['endless', text(Array(9000).fill('x'.repeat(100))), undefined, []],
  ['entries that are no account', text([first, null, 7, { userid: 'x' }, { ...second, token: 5 }]), 4, [first]],
  ['an entry without expiry', text([{ ...first, expired: undefined }]), 1, []],
  ['the same account twice', text([first, { ...first, token: 'newer' }]), 1, [{ ...first, token: 'newer' }]],
])('%s is repaired', (_what, list, lost, expected) => {
  const state = readStoredAccounts(list, '0')
  expect(state.list).toEqual(expected)
  expect(state.repaired).toEqual({ lost })
  expect(state.index).toBe(expected.length - 1)
})

test('an entry of an older version keeps its session; what it lacks is asked for again', () => {
  const { userid, token, expired, terminusName } = first
  const state = readStoredAccounts(text([{ userid, token, expired, terminusName, planLevel: '1' }, second]), '0')
  expect(state.list).toEqual([
    { ...first, canCreateCluster: false, vCpuQuota: 0, planLevel: 0, planLevelStr: '' },
    second,
  ])
  expect(state.repaired).toEqual({ lost: 0 })
})

test.each([null, '7', 'first', '-1', '0.5'])('with the index %s the last account is current', (index) => {
  expect(readStoredAccounts(text([first, second]), index)).toEqual({
    list: [first, second],
    index: 1,
    repaired: undefined,
  })
})

test.each([
  ['an entry before it is lost', ['rubbish', first, second, third], '2', second.userid],
  ['an earlier one comes twice', [first, second, { ...first, token: 'newer' }, third, second], '3', third.userid],
  ['it is itself the repeated one', [first, second, { ...first, token: 'newer' }], '2', first.userid],
])('the current account stays the current one when %s', (_what, list, index, userid) => {
  const state = readStoredAccounts(text(list), index)
  expect(state.list[state.index]?.userid).toBe(userid)
})

test('of more accounts than are stored the newest stay, the one that was just added among them', () => {
  const many = Array.from({ length: 100 }, (_, number) => ({
    ...first,
    userid: `${first.userid.slice(0, -3)}${number + 111}`,
  }))
  const added = withAccount({ list: many, index: 0 }, second)
  expect(added.list).toHaveLength(100)
  expect(added.list[added.index]).toEqual(second)
  const state = readStoredAccounts(text([...many, second]), '100')
  expect(state.list[state.index]).toEqual(second)
})

test('adding makes current, adding again renews in place', () => {
  const two = withAccount(withAccount({ list: [], index: -1 }, first), second)
  expect(two).toEqual({ list: [first, second], index: 1 })
  const renewed = { ...first, token: 'newer' }
  expect(withAccount(two, renewed)).toEqual({ list: [renewed, second], index: 0 })
})

const now = first.expired - 1000
const names = (state: AccountState) => state.list.map(({ terminusName }) => terminusName)

test.each([
  [1, dids[1], 'reef2@atoll.test'],
  [2, dids[2], 'reef1@atoll.test'],
  [2, dids[0], 'reef2@atoll.test'],
  [0, dids[2], 'reef0@atoll.test'],
  [1, dids[0], 'reef1@atoll.test'],
  [0, 'did:key:unknown', 'reef0@atoll.test'],
])('with %i current, removing %s leaves %s current', (index, userid, current) => {
  const before = { list: [first, second, third], index }
  const state = withoutAccount(before, userid ?? '', now)
  expect(state.list[state.index]?.terminusName).toBe(current)
  const rest = names(before).filter((name) => name !== before.list.find((one) => one.userid === userid)?.terminusName)
  expect(names(state).toSorted()).toEqual(rest)
})

test('an account whose session lasts takes the place of the one that left before one that expired', () => {
  const expired = { ...second, expired: now }
  const state = withoutAccount({ list: [first, expired, third], index: 0 }, first.userid, now)
  expect(state.list[state.index]).toEqual(third)
  const alone = withoutAccount({ list: [first, expired], index: 0 }, first.userid, now)
  expect(alone).toEqual({ list: [expired], index: 0 })
})

test('removing the last one leaves none', () => {
  expect(withoutAccount({ list: [first], index: 0 }, first.userid, now)).toEqual({ list: [], index: -1 })
})

test('a tab that reads between the two writings of a change sees the account before it or the one after it', () => {
  const pool = Array.from({ length: 5 }, (_, number) => exampleAccount(number))
  const anyState = fc
    .record({ list: fc.shuffledSubarray(pool, { minLength: 1 }), at: fc.nat() })
    .map(({ list, at }): AccountState => ({ list, index: at % list.length }))
  fc.assert(
    fc.property(anyState, fc.constantFrom(...pool), fc.boolean(), (before, account, adding) => {
      const after = adding ? withAccount(before, account) : withoutAccount(before, account.userid, now)
      const between = readStoredAccounts(text(after.list), String(before.index))
      const seen = between.list[between.index]?.userid
      expect([before, after].map(({ list, index }) => list[index]?.userid)).toContain(seen)
      if (!adding) expect(seen).toBe(after.list[after.index]?.userid)
    }),
  )
})

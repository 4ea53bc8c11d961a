import { expect, test } from 'vitest'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { readStoredAccounts, withAccount, withoutAccount } from './stored-accounts.ts'

const [first, second, third] = [exampleAccount(0), exampleAccount(1), exampleAccount(2)]
const text = (value: unknown) => JSON.stringify(value)

test('nothing stored is no account and nothing to repair', () => {
  expect(readStoredAccounts(null, null)).toEqual({ list: [], index: -1, repaired: false })
})

test('what was written is read again', () => {
  const state = readStoredAccounts(text([first, second]), '1')
  expect(state).toEqual({ list: [first, second], index: 1, repaired: false })
})

test.each([
  ['not JSON', '{"userid":', '0', []],
  ['not a list', '{}', '0', []],
  ['entries that are no account', text([first, null, 7, { userid: 'x' }, { ...second, token: 5 }]), '0', [first]],
  ['an older version without expiry', text([{ ...first, expired: undefined }]), '0', []],
  ['the same account twice', text([first, { ...first, token: 'newer' }]), '0', [{ ...first, token: 'newer' }]],
  ['no index', text([first]), null, [first]],
  ['an index beyond the list', text([first, second]), '7', [first, second]],
  ['an index that is no number', text([first]), 'first', [first]],
  ['a negative index', text([first]), '-1', [first]],
])('%s is repaired', (_what, list, index, expected) => {
  const state = readStoredAccounts(list, index)
  expect(state.list).toEqual(expected)
  expect(state.repaired).toBe(true)
  expect(state.index).toBe(expected.length - 1)
})

test('adding makes current, adding again renews in place', () => {
  const two = withAccount(withAccount({ list: [], index: -1 }, first), second)
  expect(two).toEqual({ list: [first, second], index: 1 })
  const renewed = { ...first, token: 'newer' }
  expect(withAccount(two, renewed)).toEqual({ list: [renewed, second], index: 0 })
})

test.each([
  [1, dids[1], ['reef0@atoll.test', 'reef2@atoll.test'], 1],
  [2, dids[2], ['reef0@atoll.test', 'reef1@atoll.test'], 1],
  [2, dids[0], ['reef1@atoll.test', 'reef2@atoll.test'], 1],
  [0, dids[2], ['reef0@atoll.test', 'reef1@atoll.test'], 0],
  [0, 'did:key:unknown', ['reef0@atoll.test', 'reef1@atoll.test', 'reef2@atoll.test'], 0],
])('with %i current, removing %s leaves the right one current', (index, userid, names, expected) => {
  const state = withoutAccount({ list: [first, second, third], index }, userid ?? '')
  expect(state.list.map(({ terminusName }) => terminusName)).toEqual(names)
  expect(state.index).toBe(expected)
})

test('removing the last one leaves none', () => {
  expect(withoutAccount({ list: [first], index: 0 }, first.userid)).toEqual({ list: [], index: -1 })
})

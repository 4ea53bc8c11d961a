import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, removeAccount, startAccounts, storeAccount } from '../../session/account-store.ts'
import { exampleAccount } from '../../testing/accounts.ts'
import { stubBrowser } from '../../testing/browser.ts'
import { heldPassword, holdPassword } from './held-password.ts'

beforeEach(() => {
  stubBrowser()
  startAccounts()
})
afterEach(() => vi.unstubAllGlobals())

test('signing out or the end of a session forgets the passwords of that account alone', () => {
  for (const index of [0, 1, 2]) {
    storeAccount(exampleAccount(index))
    holdPassword(`cl_${index}`, `password ${index}`)
  }
  const kept = () => [0, 1, 2].map((index) => heldPassword(`cl_${index}`))
  expect(kept()).toEqual(['password 0', 'password 1', 'password 2'])
  removeAccount(exampleAccount(2).userid)
  expect(kept()).toEqual(['password 0', 'password 1', undefined])
  endSession(exampleAccount(0))
  expect(kept()).toEqual([undefined, 'password 1', undefined])
})

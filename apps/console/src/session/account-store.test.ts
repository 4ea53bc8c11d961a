import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { type FakeBrowser, stubBrowser } from '../testing/browser.ts'
import { credentialsOf } from './account.ts'

let browser: FakeBrowser
let store: typeof import('./account-store.ts')

beforeEach(async () => {
  browser = stubBrowser()
  vi.resetModules()
  store = await import('./account-store.ts')
})
afterEach(() => vi.unstubAllGlobals())

test('an account is stored under the keys of the specification, with its cookie', () => {
  store.startAccounts()
  store.storeAccount(exampleAccount(0))
  expect(JSON.parse(browser.storage.get('cloud_aList') ?? '')).toEqual([exampleAccount(0)])
  expect(browser.storage.get('cloud_aIndex')).toBe('0')
  expect(browser.cookies.at(-1)).toBe(
    'syncToken=token-0; path=/; expires=Tue, 02 Oct 2096 07:06:40 GMT; SameSite=Strict; Secure',
  )
})

test('selecting and editing set the cookie again, removing the last account removes it', () => {
  store.startAccounts()
  store.storeAccount(exampleAccount(0))
  store.storeAccount(exampleAccount(1))
  expect(store.selectAccount(dids[0] ?? '')).toBe(true)
  expect(browser.cookies.at(-1)).toContain('syncToken=token-0;')
  store.editAccount(dids[0] ?? '', { token: 'newer' })
  expect(browser.cookies.at(-1)).toContain('syncToken=newer;')
  store.removeAccount(dids[0] ?? '')
  expect(browser.cookies.at(-1)).toContain('syncToken=token-1;')
  store.removeAccount(dids[1] ?? '')
  expect(browser.cookies.at(-1)).toContain('syncToken=; path=/; expires=Thu, 01 Jan 1970')
  expect(store.currentAccount()).toBeUndefined()
})

test('a tab in which staff look is the customer’s, by the staff member’s session, until that is gone', () => {
  const [customer = '', by = ''] = dids
  const look = { userid: customer, terminusName: 'lena@atoll.test', staff: null, look: { accountId: 'ac_1', by } }
  vi.stubGlobal('sessionStorage', { getItem: () => JSON.stringify(look) })
  store.startAccounts()
  expect(store.currentAccount()).toBeUndefined()
  store.storeAccount(exampleAccount(1, { staff: 'support' }))
  store.startAccounts()
  const account = store.currentAccount()
  expect(account).toMatchObject({ userid: customer, terminusName: 'lena@atoll.test', staff: null })
  expect(account && credentialsOf(account)).toEqual({ userid: by, token: 'token-1', 'look-as': 'ac_1' })
  store.editAccount(customer, { planLevel: 2 })
  expect(store.currentAccount()?.planLevel).toBe(2)
  expect(store.storedAccounts()).toEqual([exampleAccount(1, { staff: 'support' })])
})

test('a corrupt list is repaired where it lies', () => {
  browser.storage.set('cloud_aList', JSON.stringify([exampleAccount(0), 'rubbish']))
  browser.storage.set('cloud_aIndex', '9')
  store.startAccounts()
  expect(store.currentAccount()).toEqual(exampleAccount(0))
  expect(browser.storage.get('cloud_aList')).toBe(JSON.stringify([exampleAccount(0)]))
  expect(browser.storage.get('cloud_aIndex')).toBe('0')
  expect(store.storageTrouble()).toEqual({ repaired: { lost: 1 } })
  expect(browser.cookies.at(-1)).toContain('syncToken=token-0;')
})

test('newer facts about an account are never taken for another account', () => {
  store.startAccounts()
  store.storeAccount(exampleAccount(0))
  const facts: object = { ...exampleAccount(1), email: 'reef@atoll.test' }
  store.editAccount(dids[0] ?? '', facts)
  expect(store.currentAccount()).toMatchObject({ userid: dids[0], email: 'reef@atoll.test' })
})

test('forgetting all takes no other account on the way', () => {
  store.startAccounts()
  store.storeAccount(exampleAccount(0))
  store.storeAccount(exampleAccount(1))
  const seen: unknown[] = []
  store.onAccountChange(() => seen.push(store.currentAccount()?.userid))
  store.removeAllAccounts()
  expect(seen).toEqual([undefined])
  expect(browser.storage.get('cloud_aList')).toBe('[]')
  expect(browser.cookies.at(-1)).toContain('syncToken=; ')
})

test('a change in another tab is taken over', () => {
  store.startAccounts()
  store.storeAccount(exampleAccount(0))
  browser.storage.set('cloud_aList', JSON.stringify([exampleAccount(1)]))
  browser.dispatchStorage('cloud_aList')
  expect(store.currentAccount()?.userid).toBe(dids[1])
  browser.storage.clear()
  browser.dispatchStorage(null)
  expect(store.currentAccount()).toBeUndefined()
})

test('a browser that blocks storage still signs in, until the page is left', () => {
  browser.blockStorage()
  store.startAccounts()
  store.storeAccount(exampleAccount(0))
  expect(store.currentAccount()).toEqual(exampleAccount(0))
  expect(store.storageTrouble()).toEqual({ unsaved: true })
})

test('what another tab wrote is not undone by a change that did not know it', () => {
  store.startAccounts()
  store.storeAccount(exampleAccount(0))
  store.storeAccount(exampleAccount(1))
  // The other tab signs the second account out; its event is still on the way.
  browser.storage.set('cloud_aList', JSON.stringify([exampleAccount(0)]))
  browser.storage.set('cloud_aIndex', '0')
  store.editAccount(dids[1] ?? '', { expired: 0 })
  expect(JSON.parse(browser.storage.get('cloud_aList') ?? '')).toEqual([exampleAccount(0)])
  expect(store.currentAccount()).toEqual(exampleAccount(0))
})

test('what is known already is not written again, over what another tab writes at that moment', () => {
  store.startAccounts()
  store.storeAccount(exampleAccount(0, { email: 'reef@atoll.test' }))
  const written = vi.spyOn(localStorage, 'setItem')
  const cookies = browser.cookies.length
  store.editAccount(dids[0] ?? '', { email: 'reef@atoll.test' })
  expect(written).not.toHaveBeenCalled()
  expect(browser.cookies).toHaveLength(cookies)
})

test('what is known already is no reason to draw anything again', () => {
  store.startAccounts()
  store.storeAccount(exampleAccount(0, { email: 'reef@atoll.test' }))
  store.editAccount(dids[0] ?? '', { email: 'lagoon@atoll.test' })
  const [account, all] = [store.currentAccount(), store.storedAccounts()]
  store.editAccount(dids[0] ?? '', { email: 'lagoon@atoll.test' })
  store.editAccount(dids[0] ?? '', { email: 'lagoon@atoll.test' })
  expect(store.currentAccount()).toBe(account)
  expect(store.storedAccounts()).toBe(all)
})

test('the end of a session does not end the next one, which another tab has just begun', () => {
  store.startAccounts()
  store.storeAccount(exampleAccount(0))
  browser.storage.set('cloud_aList', JSON.stringify([exampleAccount(0, { token: 'newer' })]))
  store.endSession(exampleAccount(0))
  expect(store.currentAccount()).toEqual(exampleAccount(0, { token: 'newer' }))
})

test('with full storage the account is kept until the page is left, through every change', () => {
  browser.fillStorage()
  store.startAccounts()
  store.storeAccount(exampleAccount(0))
  store.editAccount(dids[0] ?? '', { email: 'reef@atoll.test' })
  expect(store.currentAccount()).toEqual({ ...exampleAccount(0), email: 'reef@atoll.test' })
})

describe('a session that ends', () => {
  const locked = () => store.lockedPage()?.userid
  let typed: boolean
  beforeEach(async () => {
    vi.resetModules()
    typed = true
    vi.doMock('./typed.ts', () => ({ hasTyped: () => typed }))
    store = await import('./account-store.ts')
    store.startAccounts()
    store.storeAccount(exampleAccount(0))
  })
  afterEach(() => vi.doUnmock('./typed.ts'))

  test('expires the account for every tab', () => {
    typed = false
    store.endSession(exampleAccount(0))
    expect(locked()).toBeUndefined()
    expect(store.currentAccount()?.expired).toBe(0)
    expect(JSON.parse(browser.storage.get('cloud_aList') ?? '')).toMatchObject([{ expired: 0 }])
  })

  test('locks a page in which something is typed, until that account signs in again', () => {
    store.endSession(exampleAccount(0))
    expect(locked()).toBe(dids[0])
    // Somebody else signs in: the page is not theirs.
    store.storeAccount(exampleAccount(1))
    expect(locked()).toBe(dids[0])
    // Nor is it enough to choose the account, whose session is over.
    store.selectAccount(dids[0] ?? '')
    expect(locked()).toBe(dids[0])
    store.storeAccount(exampleAccount(0, { token: 'newer' }))
    expect(locked()).toBeUndefined()
  })

  test('locks it too when another tab noticed the end first', () => {
    browser.storage.set('cloud_aList', JSON.stringify([exampleAccount(0, { expired: 0 })]))
    browser.dispatchStorage('cloud_aList')
    expect(locked()).toBe(dids[0])
    store.discardLockedPage()
    expect(locked()).toBeUndefined()
  })

  test('locks it also when an answer comes before the word of the other tab', () => {
    browser.storage.set('cloud_aList', '[]')
    browser.storage.set('cloud_aIndex', '-1')
    store.editAccount(dids[0] ?? '', { email: 'reef@atoll.test' })
    expect(locked()).toBe(dids[0])
  })
})

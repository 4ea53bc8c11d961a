/**
 * The accounts this browser holds and which one is current. One store for all tabs: every change is written to storage and
 * heard by the other tabs through the `storage` event. The `syncToken` cookie follows the current account.
 */
import { accountIndexKey, accountListKey } from '@atoll/contract'
import { useSyncExternalStore } from 'react'
import type { Account } from './account.ts'
import { type AccountState, readStoredAccounts, withAccount, withoutAccount } from './stored-accounts.ts'
import { syncCookie } from './sync-cookie.ts'

const listeners = new Set<() => void>()
let state: AccountState = { list: [], index: -1 }
/** The last change could be written. */
let isStored = true

function readStorage(): void {
  try {
    const found = readStoredAccounts(localStorage.getItem(accountListKey), localStorage.getItem(accountIndexKey))
    state = { list: found.list, index: found.index }
    if (found.repaired) writeStorage()
  } catch {
    // Storage is blocked: accounts are held until the page is left.
  }
}

function writeStorage(): void {
  try {
    localStorage.setItem(accountListKey, JSON.stringify(state.list))
    localStorage.setItem(accountIndexKey, String(state.index))
    isStored = true
  } catch {
    // Storage is blocked or full: as above.
    isStored = false
  }
}

/** Applies a change to what is stored now: another tab may have written since, and must not be undone. */
function change(from: (stored: AccountState) => AccountState): void {
  // What could not be stored is held here alone.
  if (isStored) readStorage()
  state = from(state)
  writeStorage()
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = syncCookie(currentAccount(), location.protocol === 'https:')
  for (const listener of listeners) listener()
}

/** Reads what is stored and follows other tabs. Called once, before the first paint. */
export function startAccounts(): void {
  readStorage()
  addEventListener('storage', (event) => {
    // `key` is null when everything was cleared.
    if (event.key !== null && event.key !== accountListKey && event.key !== accountIndexKey) return
    readStorage()
    for (const listener of listeners) listener()
  })
}

export function currentAccount(): Account | undefined {
  return state.list[state.index]
}

export function findAccount(userid: string): Account | undefined {
  return state.list.find((account) => account.userid === userid)
}

/** Adds or renews an account and makes it current. */
export function holdAccount(account: Account): void {
  change((stored) => withAccount(stored, account))
}

/** Writes newer facts about a held account; the session and which account is current stay. */
export function editAccount(userid: string, facts: Partial<Account>): void {
  change((stored) => {
    const list = stored.list.map((account) => (account.userid === userid ? { ...account, ...facts } : account))
    return { ...stored, list }
  })
}

/** Makes a held account the current one; says whether there is such an account. */
export function selectAccount(userid: string): boolean {
  if (!findAccount(userid)) return false
  if (currentAccount()?.userid === userid) return true
  change((stored) => {
    const index = stored.list.findIndex((account) => account.userid === userid)
    return index < 0 ? stored : { ...stored, index }
  })
  return currentAccount()?.userid === userid
}

export function removeAccount(userid: string): void {
  change((stored) => withoutAccount(stored, userid))
}

/** The current account; the component draws again when it changes, in this tab or another. */
export function useCurrentAccount(): Account | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    currentAccount,
    currentAccount,
  )
}

/**
 * The accounts stored in this browser and which one is current. One store for all tabs: every change is written to
 * storage, and reaches the other tabs through the `storage` event. The `syncToken` cookie follows the current account.
 *
 * A page in which something was typed follows neither another tab that signs its account out or switches nor the end
 * of its session: it is locked, as it is, covered and without making any call, until its person decides. So nothing
 * typed is lost, stored anywhere, or sent as someone else.
 *
 * follows ──another tab changed the account, or its session ended, and something is typed──▶ locked ──its account is
 * current again, with a session, or the page is let go──▶ follows
 */
import { accountIndexKey, accountListKey, syncCookieName } from '@atoll/contract/wire'
import { useSyncExternalStore } from 'react'
import { serverNow, toDeviceTime } from '../config/runtime-config.ts'
import { type Account, isExpired } from './account.ts'
import { readLook } from './look.ts'
import { type AccountState, type Repair, readStoredAccounts, withAccount, withoutAccount } from './stored-accounts.ts'
import { hasTyped } from './typed.ts'

interface CookieOptions {
  /** The page came over https. */
  secure: boolean
  /** A time of the server, ms, as this device's clock says it: by that clock the browser lets the cookie expire. */
  toDeviceTime: (serverMs: number) => number
}

/** A fault of this browser's storage that a person should know. */
export interface StorageTrouble {
  /** Damage found when the page was opened. */
  repaired?: Repair
  /** Nothing can be kept: accounts last as long as this tab. */
  unsaved?: true
}

const listeners = new Set<() => void>()
let state: AccountState = { list: [], index: -1 }
/** The texts in storage that say what `state` says. */
let storedAs: readonly (string | null)[] = []
let trouble: StorageTrouble = {}
/** Whose page is locked. */
let locked: Account | undefined
/** The customer as whom this tab shows the console to staff, in place of the current account. */
let looked: Account | undefined

/**
 * Loads the stored accounts; says which had to be mended. Throws when storage is blocked. Unchanged accounts keep their
 * objects, so that components draw again only for a change.
 */
function readStorage(): Repair | undefined {
  const now = [localStorage.getItem(accountListKey), localStorage.getItem(accountIndexKey)] as const
  if (now.every((text, at) => text === storedAs[at])) return
  const { list, index, repaired } = readStoredAccounts(...now)
  state = { list, index }
  storedAs = now
  return repaired
}

function writeStorage(): void {
  try {
    const texts = [JSON.stringify(state.list), String(state.index)] as const
    writeEntry(accountListKey, texts[0])
    writeEntry(accountIndexKey, texts[1])
    storedAs = texts
  } catch {
    // Storage is blocked or full: accounts are kept until the page is left, and the page says so.
    trouble = { ...trouble, unsaved: true }
  }
}

/** An unchanged value is not written: another tab may be changing it, which this one cannot see yet. */
function writeEntry(key: string, text: string): void {
  if (localStorage.getItem(key) !== text) localStorage.setItem(key, text)
}

function writeCookie(): void {
  const secure = location.protocol === 'https:'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = syncCookie(currentAccount(), { secure, toDeviceTime })
}

/** Whether a page of `account` can go on: it is the current one, and its session lasts. */
function canGoOn({ userid }: Account): boolean {
  const current = currentAccount()
  return current?.userid === userid && !isExpired(current, serverNow())
}

function notify(): void {
  if (locked && canGoOn(locked)) locked = undefined
  for (const listener of listeners) listener()
}

/** Loads what other tabs wrote. If that ends this page's session, text typed here locks the page. */
function followStorage(): void {
  // Values that could not be stored are kept here alone.
  if (trouble.unsaved) return
  const before = currentAccount()
  readStorage()
  const after = currentAccount()
  const isOther = after?.userid !== before?.userid || after?.expired !== before?.expired
  if (!locked && before && isOther && !canGoOn(before) && hasTyped()) locked = before
}

/**
 * Applies a change to what is stored now: another tab may have written since, and must not be undone. A tab sees that
 * a moment later, so a change that changes nothing writes nothing: it would write what was.
 */
function change(from: (stored: AccountState) => AccountState): void {
  followStorage()
  const next = from(state)
  if (JSON.stringify(next) !== JSON.stringify(state)) {
    state = next
    writeStorage()
    writeCookie()
  }
  notify()
}

/** Reads what is stored, mends it, and follows other tabs. Called once, before the first paint. */
export function startAccounts(): void {
  try {
    const repaired = readStorage()
    looked = readLook(state.list)
    if (repaired) {
      trouble = { repaired }
      writeStorage()
      writeCookie()
    }
  } catch {
    trouble = { unsaved: true }
  }
  addEventListener('storage', (event) => {
    // `key` is null when everything was cleared.
    if (event.key !== null && event.key !== accountListKey && event.key !== accountIndexKey) return
    followStorage()
    notify()
  })
}

export function currentAccount(): Account | undefined {
  return looked ?? state.list[state.index]
}

export function storedAccounts(): readonly Account[] {
  return state.list
}

export function findAccount(userid: string): Account | undefined {
  return state.list.find((account) => account.userid === userid)
}

export function storageTrouble(): StorageTrouble {
  return trouble
}

/** Adds or renews an account and makes it current. */
export function storeAccount(account: Account): void {
  change((stored) => withAccount(stored, account))
}

/** Writes newer facts about a stored account; the session and which account is current stay. */
export function editAccount(userid: string, facts: Partial<Omit<Account, 'userid'>>): void {
  if (looked?.userid === userid) looked = { ...looked, ...facts }
  edit(({ userid: known }) => known === userid, { ...facts, userid })
}

function edit(isMeant: (account: Account) => boolean, facts: Partial<Account>): void {
  change(({ list, index }) => ({
    list: list.map((account) => (isMeant(account) ? { ...account, ...facts } : account)),
    index,
  }))
}

/**
 * The session of the current account has ended: every tab and a reload will know. A page with something typed is
 * locked. A session that another tab began since for the same account goes on.
 */
export function endSession(ended: Account): void {
  if (!locked && hasTyped()) locked = ended
  edit(({ userid, token }) => userid === ended.userid && token === ended.token, { expired: 0 })
}

/** Makes a stored account the current one; says whether there is such an account. */
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
  change((stored) => withoutAccount(stored, userid, serverNow()))
}

/** Forgets every account at once: no other takes the current one's place on the way. */
export function removeAllAccounts(): void {
  change(() => ({ list: [], index: -1 }))
}

/** Whose locked page this tab shows; undefined: none, the tab follows the current account. */
export function lockedPage(): Account | undefined {
  return locked
}

/** Gives the locked page up, with what was typed: the tab follows the current account again. */
export function discardLockedPage(): void {
  locked = undefined
  notify()
}

/** Hears every change, also those that other tabs made. The returned function stops. */
export function onAccountChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const pageAccount = () => locked ?? currentAccount()

/** The account whose page this tab shows; the component draws again when it changes, in this tab or another. */
export function useCurrentAccount(): Account | undefined {
  return useSyncExternalStore(onAccountChange, pageAccount, pageAccount)
}

/** As `lockedPage`; the component draws again when it changes. */
export function useLockedPage(): Account | undefined {
  return useSyncExternalStore(onAccountChange, lockedPage, lockedPage)
}

/** All accounts of this browser, in the order in which they came. */
export function useStoredAccounts(): readonly Account[] {
  return useSyncExternalStore(onAccountChange, storedAccounts, storedAccounts)
}

/** `document.cookie` text that holds the session until it expires, or removes it without an account (spec §4, §9). */
function syncCookie(account: Account | undefined, { secure, toDeviceTime }: CookieOptions): string {
  const value = account ? encodeURIComponent(account.token) : ''
  const expires = new Date(account ? toDeviceTime(account.expired) : 0).toUTCString()
  return `${syncCookieName}=${value}; path=/; expires=${expires}; SameSite=Strict${secure ? '; Secure' : ''}`
}

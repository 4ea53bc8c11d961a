/**
 * Accounts as they lie in the browser's storage: the list under `cloud_aList`, the current one's index under `cloud_aIndex`
 * (spec §4, §9). Whatever is found there is repaired, never trusted: other versions and other hands have written it.
 */
import { SignedIn } from '@atoll/contract'
import type { Account } from './account.ts'

export interface AccountState {
  list: Account[]
  /** Index of the current account; -1 without one. */
  index: number
}

export interface StoredState extends AccountState {
  /** What was stored could not be used as it was. */
  repaired: boolean
}

/** Reads the two stored texts. Entries that are no account are left out, of two for one DID the later one stays. */
export function readStoredAccounts(listText: string | null, indexText: string | null): StoredState {
  if (listText === null) return { list: [], index: -1, repaired: false }
  const entries = parseList(listText)
  const byDid = new Map<string, Account>()
  for (const entry of entries ?? []) {
    const account = SignedIn.safeParse(entry).data
    if (account) byDid.set(account.userid, account)
  }
  const list = [...byDid.values()]
  const wanted = Number(indexText)
  const fits = indexText !== null && Number.isInteger(wanted) && wanted >= 0 && wanted < list.length
  const index = fits ? wanted : list.length - 1
  return {
    list,
    index,
    repaired: entries === undefined || list.length !== entries.length || (!fits && list.length > 0),
  }
}

function parseList(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The state with `account` added, or its entry replaced, and made the current one. */
export function withAccount(state: AccountState, account: Account): AccountState {
  const at = state.list.findIndex((held) => held.userid === account.userid)
  const list = at < 0 ? [...state.list, account] : state.list.with(at, account)
  return { list, index: at < 0 ? list.length - 1 : at }
}

/** The state without the account; the one before it becomes current. */
export function withoutAccount(state: AccountState, userid: string): AccountState {
  const at = state.list.findIndex((held) => held.userid === userid)
  if (at < 0) return state
  const list = state.list.toSpliced(at, 1)
  const index = state.index > at || state.index === list.length ? state.index - 1 : state.index
  return { list, index: list.length === 0 ? -1 : Math.max(0, index) }
}

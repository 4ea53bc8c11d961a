/**
 * Accounts as they lie in the browser's storage: the list under `cloud_aList`, the current one's index under
 * `cloud_aIndex` (spec §4, §9). Whatever is found there is repaired, never trusted: other versions and other hands
 * have written it.
 *
 * Two entries cannot be written at once, and another tab may read between the two. So the list is written first, and
 * every change below leaves the index meaning the right account in that moment too.
 */
import { SignedIn } from '@atoll/contract/accounts'
import { type Account, isExpired } from './account.ts'

export interface AccountState {
  list: Account[]
  /** Index of the current account; -1 without one. */
  index: number
}

export interface StoredState extends AccountState {
  /** The mended fault: undefined if everything could be used as it was. */
  repaired: Repair | undefined
}

export interface Repair {
  /** Entries that could not be read and are gone; undefined when the list was no list, and nobody can say. */
  lost: number | undefined
}

/** More than people have, less than would slow a page down; characters, accounts. Of more accounts the newest stay. */
const mostText = 512 * 1024
const mostAccounts = 100

/**
 * An entry of an older version may lack what is asked for again at once; who it is and the session it cannot lack. An
 * older version that wrote a number as a text is read too.
 */
const StoredAccount = SignedIn.extend({
  terminusName: SignedIn.shape.terminusName.catch(null),
  avatar: SignedIn.shape.avatar.catch(null),
  email: SignedIn.shape.email.catch(null),
  canCreateCluster: SignedIn.shape.canCreateCluster.catch(false),
  vCpuQuota: SignedIn.shape.vCpuQuota.catch(0),
  planLevel: SignedIn.shape.planLevel.catch(0),
  planLevelStr: SignedIn.shape.planLevelStr.catch(''),
  accessLimit: SignedIn.shape.accessLimit.catch(false),
  role: SignedIn.shape.role.catch('User'),
  staff: SignedIn.shape.staff.catch(null),
  isHeld: SignedIn.shape.isHeld.catch(false),
  closesAt: SignedIn.shape.closesAt.catch(null),
})

/** Reads the two stored texts. Of two entries for one DID the later one stays. */
export function readStoredAccounts(listText: string | null, indexText: string | null): StoredState {
  if (listText === null) return { list: [], index: -1, repaired: undefined }
  const entries = parseList(listText)
  const wanted = indexText === null ? -1 : Number(indexText)
  // Where the index points before anything is mended: what is dropped before it must not make another account current.
  let currentDid: string | undefined
  const byDid = new Map<string, Account>()
  let whole = 0
  for (const [at, entry] of (entries ?? []).entries()) {
    const account = StoredAccount.safeParse(entry).data
    if (!account) continue
    byDid.set(account.userid, account)
    if (at === wanted) currentDid = account.userid
    if (SignedIn.safeParse(entry).success) whole += 1
  }
  const list = [...byDid.values()].slice(-mostAccounts)
  const found = list.findIndex((account) => account.userid === currentDid)
  // An index of an empty list, or one that is still to be written for a list that just grew or shrank, is no damage.
  const index = found < 0 ? list.length - 1 : found
  const untouched = entries !== undefined && whole === entries.length && list.length === entries.length
  const lost = entries && entries.length - list.length
  return { list, index, repaired: untouched ? undefined : { lost } }
}

function parseList(text: string): unknown[] | undefined {
  if (text.length > mostText) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * The state with `account` added, or its entry replaced, and made the current one. One too many takes the oldest's
 * place.
 */
export function withAccount(state: AccountState, account: Account): AccountState {
  const at = state.list.findIndex((stored) => stored.userid === account.userid)
  const list = at < 0 ? [...state.list, account].slice(-mostAccounts) : state.list.with(at, account)
  return { list, index: at < 0 ? list.length - 1 : at }
}

/**
 * The state without the account. When it was the current one another takes its place, one whose session lasts at `now`
 * (ms) before one that expired. The index moves only where the list has become too short for it: see above.
 */
export function withoutAccount(state: AccountState, userid: string, now: number): AccountState {
  const at = state.list.findIndex((stored) => stored.userid === userid)
  if (at < 0) return state
  const rest = state.list.toSpliced(at, 1)
  const index = Math.min(state.index, rest.length - 1)
  const successor = () => {
    const nearest = [...rest.slice(index), ...rest.slice(0, Math.max(0, index)).reverse()]
    return nearest.find((account) => !isExpired(account, now)) ?? nearest[0]
  }
  const current = at === state.index ? successor() : state.list[state.index]
  if (!current) return { list: rest, index }
  const others = rest.filter((account) => account !== current)
  return { list: others.toSpliced(index, 0, current), index }
}

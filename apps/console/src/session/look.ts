/**
 * The customer as whom this tab shows the console to staff, who can change nothing there. Only the tab knows it, and it
 * holds no session: that is the staff member's own, of the stored accounts.
 */
import { lookKey } from '@atoll/contract/wire'
import type { Account } from './account.ts'
import { storedAccount } from './stored-accounts.ts'

interface Look {
  accountId: string
  userid: string
  terminusName: string | null
  /** The DID of the staff member. */
  by: string
}

/** Opens the console as the customer, in this tab. */
export function beginLook(look: Look): void {
  sessionStorage.setItem(lookKey, JSON.stringify(look))
  location.assign('/')
}

/** Back to the customer's page in the operator's area. */
export function endLook({ accountId }: Pick<Look, 'accountId'>): void {
  sessionStorage.removeItem(lookKey)
  location.assign(`/operator/customers/${accountId}`)
}

/** Undefined in every other tab, and once the staff member is not signed in here. Throws where storage is blocked. */
export function readLook(accounts: readonly Account[]): Account | undefined {
  const text = sessionStorage.getItem(lookKey)
  if (text === null) return undefined
  const { by, accountId, userid, terminusName }: Look = JSON.parse(text)
  const staff = accounts.find((account) => account.userid === by)
  const account = staff && storedAccount({ userid, terminusName, token: staff.token, expired: staff.expired })
  return account && { ...account, look: { by, accountId } }
}

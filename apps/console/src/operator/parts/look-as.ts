import type { StaffPerson } from '@atoll/contract/staff'
import { lookKey } from '@atoll/contract/wire'
import type { Account } from '../../session/account.ts'
import type { Looked } from '../../session/look.ts'

/** Opens the console as a customer, in this tab; other facts about the account than these come with the first page. */
export function beginLook({ accountId, userid, terminusName }: StaffPerson, staff: Account): void {
  const { token: _token, expired: _expired, ...facts } = staff
  const nothing = { avatar: null, email: null, staff: null, isHeld: false, closesAt: null, timeZone: null } as const
  const look = { by: staff.userid, accountId }
  const looked: Looked = { ...facts, ...nothing, role: 'User', userid, terminusName, look }
  sessionStorage.setItem(lookKey, JSON.stringify(looked))
  location.assign('/')
}

/** Back to the customer's page in the operator's area. */
export function endLook({ accountId }: Looked['look']): void {
  sessionStorage.removeItem(lookKey)
  location.assign(`/operator/customers/${accountId}`)
}

/**
 * Passwords of backups that were entered before the machine that needs them has a key, by the id of its cluster. They
 * are in this page's memory alone, until they are sent or their account's session ends; a page that was closed asks
 * again.
 */
import { serverNow } from '../../config/runtime-config.ts'
import { isExpired } from '../../session/account.ts'
import { currentAccount, findAccount, onAccountChange } from '../../session/account-store.ts'

const held = new Map<string, { userid: string; password: string }>()

onAccountChange(() => {
  for (const [clusterId, { userid }] of held) {
    const account = findAccount(userid)
    if (!account || isExpired(account, serverNow())) held.delete(clusterId)
  }
})

export function holdPassword(clusterId: string, password: string): void {
  const account = currentAccount()
  if (account) held.set(clusterId, { userid: account.userid, password })
}
export function heldPassword(clusterId: string): string | undefined {
  return held.get(clusterId)?.password
}
export function dropPassword(clusterId: string): void {
  held.delete(clusterId)
}

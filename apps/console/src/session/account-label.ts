import { isDisplayableName } from '@atoll/contract/wire'
import type { Account } from './account.ts'
import { shortDid } from './short-did.ts'

/** An account inside a sentence: its ID, or its DID with the middle left out. */
export function accountLabel({ terminusName, userid }: Pick<Account, 'terminusName' | 'userid'>): string {
  return isDisplayableName(terminusName) ? terminusName : shortDid(userid)
}

import { isDisplayableName } from '@atoll/contract/wire'
import { useText } from '../locales/text.ts'
import type { Account } from './account.ts'

/** The ID of an account, if it can be shown; null: none is bound. */
export function displayedId(account: Pick<Account, 'terminusName'> | undefined): string | null {
  return isDisplayableName(account?.terminusName) ? account.terminusName : null
}

/** The name of an account: its ID, or that it has none (spec §3, §5). */
export function useAccountName(): (account: Pick<Account, 'terminusName'> | undefined) => string {
  const t = useText()
  return (account) => displayedId(account) ?? t('shell.noIdBound')
}

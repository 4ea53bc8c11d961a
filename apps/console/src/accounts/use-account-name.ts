import { isDisplayableName } from '@atoll/contract'
import { useText } from '../i18n/text.ts'
import type { Account } from './account.ts'

/** What an account is called: its ID, or that it has none (spec §3, §5). */
export function useAccountName(): (account: Pick<Account, 'terminusName'> | undefined) => string {
  const t = useText()
  return (account) => (isDisplayableName(account?.terminusName) ? account.terminusName : t('shell.noIdBound'))
}

import { useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'

/** Why what is an operator's cannot be pressed by who is signed in; undefined: it can. */
export function useOperatorsOnly(): string | undefined {
  const t = useText()
  return useCurrentAccount()?.staff === 'operator' ? undefined : t('operator.operatorsOnly')
}

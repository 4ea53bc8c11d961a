import { useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'
import { useOnline } from './use-online.ts'

/** Why staff who look as the customer can change nothing, in words; undefined: it is one's own console. */
export function useLookRefusal(): string | undefined {
  const t = useText()
  return useCurrentAccount()?.look ? t('action.whileLooking') : undefined
}

/** Why nothing can be changed now, in words; undefined: it can. */
export function useChangeRefusal(): string | undefined {
  const t = useText()
  const looking = useLookRefusal()
  const online = useOnline()
  return looking ?? (online ? undefined : t('shell.offlineAction'))
}

import { useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'
import { useOnline } from './use-online.ts'

/** Why staff who look as the customer can change and download nothing, in words; undefined: nobody looks. */
export function useLookRefusal(): string | undefined {
  const t = useText()
  return useCurrentAccount()?.look ? t('action.whileLooking') : undefined
}

/** Why nothing can be changed now, in words; undefined: it can. */
export function useChangeRefusal(): string | undefined {
  const t = useText()
  const refused = useLookRefusal()
  const online = useOnline()
  return refused ?? (online ? undefined : t('shell.offlineAction'))
}

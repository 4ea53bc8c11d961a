import { useText } from '../../locales/text.ts'
import { useOnline } from './use-online.ts'

/** Why nothing can be changed now, in words; undefined: there is a network. */
export function useOfflineReason(): string | undefined {
  const t = useText()
  return useOnline() ? undefined : t('shell.offlineAction')
}

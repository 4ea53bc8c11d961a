import { useText } from '../../locales/text.ts'
import { useCustomerWhenIdle } from './use-customer.ts'

/** Why nothing can be created now, in words; undefined: no bill is past due. */
export function useCreateWaits(): string | undefined {
  const t = useText()
  return useCustomerWhenIdle()?.standing === 'overdue' ? t('shell.createWaits') : undefined
}

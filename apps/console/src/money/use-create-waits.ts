import { useText } from '../locales/text.ts'
import { useCustomer } from './use-customer.ts'

/** Why nothing can be created now, in words; undefined: no bill is past due. */
export function useCreateWaits(): string | undefined {
  const t = useText()
  return useCustomer()?.standing === 'overdue' ? t('shell.createWaits') : undefined
}

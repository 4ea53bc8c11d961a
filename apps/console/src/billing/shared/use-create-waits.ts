import { useLookRefusal } from '../../kit/browser/use-change-refusal.ts'
import { useText } from '../../locales/text.ts'
import { useCustomerWhenIdle } from './use-customer.ts'

/** Why nothing can be created now, in words; undefined: no bill is past due, and it is one's own console. */
export function useCreateWaits(): string | undefined {
  const t = useText()
  const refused = useLookRefusal()
  const isOverdue = useCustomerWhenIdle()?.standing === 'overdue'
  return refused ?? (isOverdue ? t('shell.createWaits') : undefined)
}

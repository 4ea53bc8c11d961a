import { EmptyState } from '@atoll/ui'
import { CreateButton } from '../../billing/shared/CreateButton.tsx'
import { useText } from '../../locales/text.ts'

/** No instance yet: what they are, and where the first comes from. */
export function InstancesEmpty() {
  const t = useText()
  return (
    <EmptyState title={t('instances.emptyTitle')} actions={<CreateButton variant="filled" size="lg" />}>
      {t('instances.empty')}
    </EmptyState>
  )
}

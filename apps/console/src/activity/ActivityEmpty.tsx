import { EmptyState } from '@atoll/ui'
import { useText } from '../locales/text.ts'

/** Nothing is written down yet. */
export function ActivityEmpty() {
  const t = useText()
  return (
    <EmptyState tall title={t('activity.emptyTitle')}>
      {t('activity.empty')}
    </EmptyState>
  )
}

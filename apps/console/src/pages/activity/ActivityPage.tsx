import { PageHeader } from '@atoll/ui'
import { usePageTitle } from '../../components/use-page-title.ts'
import { useText } from '../../i18n/text.ts'

export function ActivityPage() {
  const t = useText()
  usePageTitle(t('activity.title'))
  return <PageHeader title={t('activity.title')} />
}

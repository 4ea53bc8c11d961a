import { PageHeader } from '@atoll/ui'
import { usePageTitle } from '../../components/use-page-title.ts'
import { useText } from '../../i18n/text.ts'

export function SessionsPage() {
  const t = useText()
  usePageTitle(t('sessions.title'))
  return <PageHeader title={t('sessions.title')} />
}

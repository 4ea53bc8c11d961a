import { PageHeader } from '@atoll/ui'
import { usePageTitle } from '../../components/use-page-title.ts'
import { useText } from '../../i18n/text.ts'

export function ProfilePage() {
  const t = useText()
  usePageTitle(t('profile.title'))
  return <PageHeader title={t('profile.title')} />
}

import { PageHeader } from '@atoll/ui'
import { usePageTitle } from '../../components/use-page-title.ts'
import { useText } from '../../i18n/text.ts'

export function LanguageListPage() {
  const t = useText()
  usePageTitle(t('languages.title'))
  return <PageHeader title={t('languages.title')} />
}

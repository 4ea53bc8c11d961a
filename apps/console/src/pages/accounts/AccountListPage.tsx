import { PageHeader } from '@atoll/ui'
import { usePageTitle } from '../../components/use-page-title.ts'
import { useText } from '../../i18n/text.ts'

export function AccountListPage({ redirect: _ }: { redirect: string | undefined }) {
  const t = useText()
  usePageTitle(t('accounts.title'))
  return <PageHeader title={t('accounts.title')} />
}

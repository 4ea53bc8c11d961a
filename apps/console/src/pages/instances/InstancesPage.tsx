import { PageHeader } from '@atoll/ui'
import { usePageTitle } from '../../components/use-page-title.ts'
import { useText } from '../../i18n/text.ts'

export function InstancesPage() {
  const t = useText()
  usePageTitle(t('instances.title'))
  return <PageHeader title={t('instances.title')} />
}

import { customerInfo } from '@atoll/contract/billing'
import { EmptyState, PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useText } from '../../locales/text.ts'
import { ClockCard } from './ClockCard.tsx'

/** Time travel of an account whose money is play money; other accounts are told that this is none. */
export function SandboxPage() {
  const t = useText()
  const { data, error, refetch } = useCall(customerInfo, {})
  usePageTitle(t('shell.sandbox'))
  return (
    <>
      <PageHeader title={t('shell.sandbox')} />
      {data?.canTravel && <ClockCard />}
      {data && !data.canTravel && (
        <EmptyState
          title={t('billing.noSandbox')}
          actions={<Button renderRoot={(props) => <Link {...props} to="/billing" />}>{t('billing.title')}</Button>}
        >
          {t('billing.noSandboxText')}
        </EmptyState>
      )}
      {!data && error && <LoadFailure title={t('billing.clockError')} error={error} onRetry={refetch} />}
    </>
  )
}

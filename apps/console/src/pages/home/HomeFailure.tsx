import { ErrorState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { CopyDetailsButton } from '../../components/CopyDetailsButton.tsx'
import { useText } from '../../i18n/text.ts'

interface HomeFailureProps {
  error: Error
  onRetry: () => void
}

/** The clusters never loaded. */
export function HomeFailure({ error, onRetry }: HomeFailureProps) {
  const t = useText()
  return (
    <ErrorState
      title={t('home.errorTitle')}
      actions={
        <>
          <Button size="xs" leftSection={<IconRefresh size={15} stroke={1.6} aria-hidden="true" />} onClick={onRetry}>
            {t('failure.retry')}
          </Button>
          <CopyDetailsButton error={error} />
        </>
      }
    >
      {error.message}
    </ErrorState>
  )
}

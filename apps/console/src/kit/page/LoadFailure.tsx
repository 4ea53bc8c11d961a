import { ErrorState, PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { isSilent } from '../../data/call-failure.ts'
import { useText } from '../../locales/text.ts'
import { SupportLink } from '../site/SupportLink.tsx'
import { CopyDetailsButton } from './CopyDetailsButton.tsx'

interface LoadFailureProps {
  /** The sentence for missing content: 'Clusters did not load'. */
  title: string
  /** The heading of the page, when the whole page did not load. */
  page?: string
  error: Error
  /** Ends when it was answered, whatever the answer. */
  onRetry: () => Promise<unknown>
}

/**
 * A page or a part of one that never loaded: what, why, again, and what an operator needs to find out more. Why is
 * left unsaid for body code 401 (spec §8); that there is nothing to see, and the way to retry, cannot be.
 */
export function LoadFailure({ title, page, error, onRetry }: LoadFailureProps) {
  const t = useText()
  const [isAsking, setAsking] = useState(false)
  async function ask() {
    setAsking(true)
    await onRetry()
    setAsking(false)
  }
  return (
    <>
      {page && <PageHeader title={page} />}
      <ErrorState
        title={title}
        actions={
          <>
            <Button
              size="xs"
              leftSection={<IconRefresh size={15} stroke={1.6} aria-hidden="true" />}
              // Not `loading`: that disables, and what is disabled loses focus.
              aria-busy={isAsking}
              {...(isAsking && { 'data-disabled': true })}
              onClick={isAsking ? undefined : ask}
            >
              {t('failure.retry')}
            </Button>
            <CopyDetailsButton error={error} />
            <SupportLink />
          </>
        }
      >
        {!isSilent(error) && error.message}
      </ErrorState>
    </>
  )
}

import { useCopy } from '@atoll/ui'
import { Button } from '@mantine/core'
import { failureDetails } from '../../data/call-failure.ts'
import { useText } from '../../locales/text.ts'

interface CopyDetailsButtonProps {
  error: Error
}

/** Copies what an operator needs to find a failure: path, code, request id, time. */
export function CopyDetailsButton({ error }: CopyDetailsButtonProps) {
  const t = useText()
  const { state, copy } = useCopy()
  return (
    <Button size="xs" variant="subtle" onClick={() => copy(failureDetails(error, new Date()))}>
      {state === 'copied' ? t('failure.copied') : t('failure.copyDetails')}
    </Button>
  )
}

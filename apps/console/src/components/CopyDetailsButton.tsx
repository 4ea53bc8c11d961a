import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { failureDetails } from '../api/call-failure.ts'
import { useText } from '../i18n/text.ts'

interface CopyDetailsButtonProps {
  error: Error
}

/** Copies what an operator needs to find a failure: path, code, request id, time. */
export function CopyDetailsButton({ error }: CopyDetailsButtonProps) {
  const t = useText()
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Button size="xs" variant="subtle" onClick={() => clipboard.copy(failureDetails(error, new Date()))}>
      {clipboard.copied ? t('failure.copied') : t('failure.copyDetails')}
    </Button>
  )
}

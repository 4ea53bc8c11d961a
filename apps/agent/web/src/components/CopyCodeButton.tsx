import { useCopy } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useText } from '../i18n/text.ts'

interface CopyCodeButtonProps {
  code: string
}

/** Copies the code's text, for pasting into a wallet; says so, or that the browser did not let it. */
export function CopyCodeButton({ code }: CopyCodeButtonProps) {
  const t = useText()
  const { state, copy } = useCopy()
  const labels = { idle: t('wizard.copyCode'), copied: t('act.copied'), failed: t('wizard.copyFailed') }
  const Icon = state === 'copied' ? IconCheck : IconCopy
  return (
    <Button
      size="lg"
      leftSection={<Icon size={16} stroke={state === 'copied' ? 2.2 : 1.6} aria-hidden="true" />}
      onClick={() => copy(code)}
    >
      <span aria-live="polite">{labels[state]}</span>
    </Button>
  )
}

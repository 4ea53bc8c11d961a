import { CopyButton } from '@atoll/ui'
import { useText } from '../../locales/text.ts'

interface CopyValueProps {
  value: string
  /** The object of 'Copy …'. */
  what: string
}

/** The copy button beside a value. */
export function CopyValue({ value, what }: CopyValueProps) {
  const t = useText()
  return (
    <CopyButton
      value={value}
      label={t('common.copy', { what })}
      copiedLabel={t('common.copied')}
      failedLabel={t('common.copyFailed')}
    />
  )
}

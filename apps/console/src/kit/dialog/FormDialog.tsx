import type { DialogProps } from '@atoll/ui'
import { useText } from '../../locales/text.ts'
import { PageDialog } from './PageDialog.tsx'

/** A dialog with fields: it asks before Escape or a press beside it throws away what was typed there. */
export function FormDialog(props: Omit<DialogProps, 'discard'>) {
  const t = useText()
  const discard = { question: t('dialog.discardTitle'), keep: t('dialog.discardKeep'), discard: t('dialog.discardDo') }
  return <PageDialog {...props} discard={discard} />
}

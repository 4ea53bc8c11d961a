import type { Call } from '@atoll/contract/wire'
import { Textarea } from '@mantine/core'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useText } from '../../locales/text.ts'
import { CallDialog } from './CallDialog.tsx'

interface ReasonDialogProps {
  /** A question that names the object. */
  title: string
  lead: string
  act: string
  /** A call whose body has a `reason`. */
  call: Call
  /** The body's other fields. */
  rest: object
  onDone: () => void
  onClose: () => void
}

/** Asks why, which is recorded, before something is done that needs no approval. */
export function ReasonDialog({ title, lead, act, call, rest, onDone, onClose }: ReasonDialogProps) {
  const t = useText()
  const form = useCallForm(call, { rest, values: { reason: '' } })
  return (
    <CallDialog title={title} lead={lead} act={act} form={form} onDone={onDone} onClose={onClose}>
      <Textarea
        {...form.field('reason', t('system.reasonHelp'))}
        data-autofocus
        label={t('operator.reason')}
        maxLength={500}
        autosize
        minRows={2}
      />
    </CallDialog>
  )
}

import type { Call } from '@atoll/contract/wire'
import { Button, Textarea } from '@mantine/core'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { useText } from '../../locales/text.ts'

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
    <FormDialog opened onClose={onClose} title={title}>
      <form onSubmit={form.submit(onDone)} noValidate>
        <p className={dialog.text}>{lead}</p>
        <Textarea
          {...form.field('reason', t('system.reasonHelp'))}
          className={dialog.field ?? ''}
          data-autofocus
          label={t('operator.reason')}
          maxLength={500}
          autosize
          minRows={2}
        />
        <DialogFooter error={form.error}>
          <Button onClick={onClose}>{t('operator.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.isPending}>
            {act}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}

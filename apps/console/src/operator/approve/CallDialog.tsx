import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useText } from '../../locales/text.ts'
import classes from './ActDialog.module.css'

interface CallDialogProps<Answer> {
  title: string
  lead?: string | undefined
  /** The word of the button that sends it. */
  act: string
  /** The word of the other one; left out: cancel. */
  keep?: string
  isDanger?: boolean
  size?: number
  /** Of `useCallForm`. */
  form: {
    submit: (onDone: (answer: Answer) => void) => (event?: FormEvent<HTMLFormElement>) => void
    error: Error | null
    isPending: boolean
  }
  onDone: (answer: Answer) => void
  onClose: () => void
  children: ReactNode
}

/** The form of a call that needs no approval. */
export function CallDialog<Answer>({ title, lead, act, form, onDone, onClose, ...more }: CallDialogProps<Answer>) {
  const t = useText()
  return (
    <FormDialog opened onClose={onClose} title={title} {...(more.size && { size: more.size })}>
      <form onSubmit={form.submit(onDone)} noValidate>
        {lead && <p className={dialog.text}>{lead}</p>}
        <div className={classes.fields}>{more.children}</div>
        <DialogFooter error={form.error}>
          <Button onClick={onClose}>{more.keep ?? t('operator.cancel')}</Button>
          <Button type="submit" variant={more.isDanger ? 'danger' : 'filled'} loading={form.isPending}>
            {act}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}

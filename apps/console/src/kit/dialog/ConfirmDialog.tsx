import { Dialog } from '@atoll/ui'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureNotice } from '../page/FailureNotice.tsx'
import classes from './Dialog.module.css'
import { DialogFooter } from './DialogFooter.tsx'

export interface ConfirmDialogProps {
  opened: boolean
  onClose: () => void
  /** A question with the object's name. */
  title: string
  /** What happens meanwhile, and to the data. */
  text: string
  /** The safe answer. */
  keep: string
  confirm: string
  /** The last button destroys something. */
  danger?: boolean
  /** What is being done: its state, why it failed, and what ends trying it. */
  change: { isPending: boolean; error: Error | null; giveUp: () => void }
  onConfirm: () => void
  /** Choices between the text and the answers. */
  children?: ReactNode
}

/** Asks before something happens that needs no typed name. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, text, keep, confirm, danger = false, change, onConfirm, children } = props
  const close = () => {
    change.giveUp()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <p className={classes.text}>{text}</p>
      {children}
      <FailureNotice error={change.error} className={classes.failure} />
      <DialogFooter>
        <Button data-autofocus onClick={close}>
          {keep}
        </Button>
        <Button variant={danger ? 'danger' : 'filled'} loading={change.isPending} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

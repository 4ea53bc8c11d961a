import { Notice } from '@atoll/ui'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { ActDialog } from '../approve/ActDialog.tsx'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import classes from './Customers.module.css'

interface ActNoticeProps {
  title: string
  /** The act of operators by which it ends. */
  label: string
  dialog: Omit<ComponentProps<typeof ActDialog>, 'onClose'>
  onClosed: () => void
  children: ReactNode
}

/** A state of an account that stands over its page, and the approved act by which it ends. */
export function ActNotice({ title, label, dialog, onClosed, children }: ActNoticeProps) {
  const [opened, setOpened] = useState(false)
  const close = () => {
    setOpened(false)
    onClosed()
  }
  return (
    <div className={classes.look}>
      <Notice
        tone="coral"
        title={title}
        action={
          <OperatorButton size="xs" onClick={() => setOpened(true)}>
            {label}
          </OperatorButton>
        }
      >
        {children}
      </Notice>
      {opened && <ActDialog onClose={close} {...dialog} />}
    </div>
  )
}

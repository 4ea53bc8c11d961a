import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'
import classes from './Customers.module.css'

interface ActNoticeProps {
  title: string
  /** The act of operators by which it ends. */
  label: string
  dialog: Omit<ComponentProps<typeof ActDialog>, 'opened' | 'onClose'>
  onClosed: () => void
  children: ReactNode
}

/** A state of an account that stands over its page, and the approved act by which it ends. */
export function ActNotice({ title, label, dialog, onClosed, children }: ActNoticeProps) {
  const operatorsOnly = useOperatorsOnly()
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
          <Button
            size="xs"
            {...refusedButton(operatorsOnly)}
            onClick={operatorsOnly === undefined ? () => setOpened(true) : undefined}
          >
            {label}
          </Button>
        }
      >
        {children}
      </Notice>
      {opened && <ActDialog opened onClose={close} {...dialog} />}
    </div>
  )
}

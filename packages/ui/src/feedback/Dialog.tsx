import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Dialog.module.css'
import { ReturnFocus } from './ReturnFocus.tsx'

interface DialogProps {
  opened: boolean
  /** A question with the object's name, or what is asked for. */
  title: ReactNode
  onClose(): void
  /** px */
  size?: number
  children: ReactNode
}

/**
 * A dialog named by its title. Not Mantine's own `title`: that is drawn in a `header` element, which assistive
 * technology takes for a second banner of the page.
 */
export function Dialog({ opened, title, onClose, size, children }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} returnFocus={false} {...(size !== undefined && { size })}>
      <ReturnFocus />
      <Modal.Title className={classes.title}>{title}</Modal.Title>
      {children}
    </Modal>
  )
}

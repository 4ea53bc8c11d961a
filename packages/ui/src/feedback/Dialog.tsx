import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import classes from './Dialog.module.css'
import { DiscardQuestion, type DiscardWords } from './DiscardQuestion.tsx'
import { ReturnFocus } from './ReturnFocus.tsx'
import { isTextField } from './text-field.ts'

export interface DialogProps {
  opened: boolean
  /** A question with the object's name, or what is asked for. */
  title: ReactNode
  onClose(): void
  /** px */
  size?: number
  /** Of a dialog with fields: how it asks before Escape or a press beside it throws away what was typed there. */
  discard?: DiscardWords
  /** It keeps something that was typed in a field which is not shown now. */
  isFilled?: boolean
  children: ReactNode
}

/**
 * A dialog named by its title. Not Mantine's own `title`: that is drawn in a `header` element, which assistive
 * technology takes for a second banner of the page.
 */
export function Dialog({ opened, title, onClose, size, discard, isFilled = false, children }: DialogProps) {
  // Each field that somebody came to, with the text that it held then.
  const [before] = useState(() => new Map<HTMLInputElement | HTMLTextAreaElement, string>())
  const [isAsking, setAsking] = useState(false)
  // The field or button that had focus last: a press beside the dialog takes focus from it.
  const focused = useRef<HTMLElement>(null)
  const wasAsking = useRef(false)
  // It may have been closed from within while it asked.
  if (!opened && isAsking) setAsking(false)
  const hasTyped = () => [...before].some(([field, text]) => field.isConnected && field.value !== text)

  useLayoutEffect(() => {
    // The field that the question was asked over is shown again.
    if (wasAsking.current && !isAsking) focused.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])

  function leave() {
    if (isAsking) return setAsking(false)
    if (!discard || !(isFilled || hasTyped())) return onClose()
    setAsking(true)
  }
  function throwAway() {
    // It is not to be given focus by the dialog that goes.
    focused.current = null
    setAsking(false)
    onClose()
  }
  const question = isAsking ? discard : undefined
  return (
    <Modal opened={opened} onClose={leave} returnFocus={false} {...(size !== undefined && { size })}>
      <ReturnFocus />
      <Modal.Title className={classes.title}>{question?.question ?? title}</Modal.Title>
      {question && <DiscardQuestion words={question} onKeep={leave} onDiscard={throwAway} />}
      <div
        className={classes.content}
        hidden={question !== undefined}
        onFocusCapture={({ target }) => {
          if (target instanceof HTMLElement) focused.current = target
          if (isTextField(target) && !before.has(target)) before.set(target, target.value)
        }}
      >
        {children}
      </div>
    </Modal>
  )
}

import { toastTimeoutMs } from '@atoll/contract/wire'
import { UnstyledButton } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import type { ShownToast } from '../../data/show-toast.ts'
import classes from './ToastStack.module.css'

const icons = { success: IconCheck, failure: IconAlertCircle, info: IconInfoCircle }

interface ToastProps {
  toast: ShownToast
  /** The person is busy with a toast: time does not count. */
  paused: boolean
  closeLabel: string
  onClose: () => void
}

/** One toast. It goes after its time, unless it says a failure, by its button, or by Escape. */
export function Toast({ toast, paused, closeLabel, onClose }: ToastProps) {
  const { kind, text } = toast
  const Icon = icons[kind]
  const passing = kind !== 'failure'
  const leave = useEffectEvent(onClose)
  useEffect(() => {
    if (!passing || paused) return
    const timer = setTimeout(() => leave(), toastTimeoutMs)
    return () => clearTimeout(timer)
  }, [passing, paused])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape only adds to the close button inside
    <div
      className={classes.toast}
      data-kind={kind}
      data-toast={toast.id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // A dialog below must stay.
        event.stopPropagation()
        onClose()
      }}
    >
      <Icon className={classes.icon} size={18} stroke={1.6} aria-hidden="true" />
      <span className={classes.text}>{text}</span>
      <UnstyledButton className={classes.close} aria-label={closeLabel} onClick={onClose}>
        <IconX size={15} stroke={1.6} aria-hidden="true" />
      </UnstyledButton>
    </div>
  )
}

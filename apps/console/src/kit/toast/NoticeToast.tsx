import { noticeTimeoutMs } from '@atoll/contract/wire'
import { UnstyledButton } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import classes from './NoticeStack.module.css'
import { isPassing, type ShownNotice } from './show-notice.ts'

const icons = { success: IconCheck, failure: IconAlertCircle, info: IconInfoCircle }

interface NoticeToastProps {
  notice: ShownNotice
  /** The person is busy with a notice: time does not count. */
  held: boolean
  closeLabel: string
  onClose: () => void
}

/** One notice. It goes after its time, by its button, by its action, or by Escape. */
export function NoticeToast({ notice, held, closeLabel, onClose }: NoticeToastProps) {
  const { kind, text, action } = notice
  const Icon = icons[kind]
  const passing = isPassing(notice)
  const leave = useEffectEvent(onClose)
  useEffect(() => {
    if (!passing || held) return
    const timer = setTimeout(() => leave(), noticeTimeoutMs)
    return () => clearTimeout(timer)
  }, [passing, held])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape only adds to the close button inside
    <div
      className={classes.toast}
      data-kind={kind}
      data-notice={notice.id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // A dialog below must stay.
        event.stopPropagation()
        onClose()
      }}
    >
      <Icon className={classes.icon} size={18} stroke={1.6} aria-hidden="true" />
      <span className={classes.text}>{text}</span>
      {action && (
        <UnstyledButton
          className={classes.action}
          onClick={() => {
            action.onSelect()
            onClose()
          }}
        >
          {action.label}
        </UnstyledButton>
      )}
      <UnstyledButton className={classes.close} aria-label={closeLabel} onClick={onClose}>
        <IconX size={15} stroke={1.6} aria-hidden="true" />
      </UnstyledButton>
    </div>
  )
}

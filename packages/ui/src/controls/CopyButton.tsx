import { Tooltip, UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './CopyButton.module.css'

interface CopyButtonProps {
  value: string
  /** Name of the button: what is copied. */
  label: string
  /** Said for a moment after copying. */
  copiedLabel: string
}

/** Copies `value`; the icon turns into a check for 1.5 s and the change is announced. */
export function CopyButton({ value, label, copiedLabel }: CopyButtonProps) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Tooltip label={clipboard.copied ? copiedLabel : label}>
      <UnstyledButton
        className={classes.button}
        aria-label={label}
        data-copied={clipboard.copied || undefined}
        onClick={() => clipboard.copy(value)}
      >
        {clipboard.copied ? (
          <IconCheck size={14} stroke={2.2} aria-hidden="true" />
        ) : (
          <IconCopy size={14} stroke={1.6} aria-hidden="true" />
        )}
        <span className={classes.announce} aria-live="polite">
          {clipboard.copied ? copiedLabel : ''}
        </span>
      </UnstyledButton>
    </Tooltip>
  )
}

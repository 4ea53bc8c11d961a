import { UnstyledButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './CopyButton.module.css'
import { useCopy } from './use-copy.ts'

interface CopyButtonProps {
  value: string
  /** Name of the button: what is copied. */
  label: string
  /** Said for a moment after copying. */
  copiedLabel: string
  /** Said when the browser does not let us copy. */
  failedLabel?: string
}

/** Copies `value`; the icon turns into a check for 1.5 s and the change is announced. */
export function CopyButton({ value, label, copiedLabel, failedLabel = label }: CopyButtonProps) {
  const { state, copy } = useCopy()
  const copied = state === 'copied'
  const said = copied ? copiedLabel : state === 'failed' ? failedLabel : ''
  return (
    <UnstyledButton
      className={classes.button}
      aria-label={label}
      data-tip={said || label}
      data-copied={copied || undefined}
      onClick={() => copy(value)}
    >
      {copied ? (
        <IconCheck size={14} stroke={2.2} aria-hidden="true" />
      ) : (
        <IconCopy size={14} stroke={1.6} aria-hidden="true" />
      )}
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
    </UnstyledButton>
  )
}

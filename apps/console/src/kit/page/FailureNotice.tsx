import { Notice } from '@atoll/ui'
import type { ReactNode } from 'react'
import { isSilent } from '../../data/call-failure.ts'

interface FailureNoticeProps {
  error: Error | null
  /** The failed part, if the message alone does not name it. */
  title?: string
  action?: ReactNode
  className?: string | undefined
}

/** Why a call failed, in the server's or the catalogue's words, announced; nothing for a silent failure. */
export function FailureNotice({ error, title, action, className }: FailureNoticeProps) {
  if (!error || isSilent(error)) return null
  return (
    <div className={className}>
      <Notice tone="coral" role="alert" title={title ?? error.message} action={action}>
        {title && error.message}
      </Notice>
    </div>
  )
}

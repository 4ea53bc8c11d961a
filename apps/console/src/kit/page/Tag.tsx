import type { ReactNode } from 'react'
import classes from './Tag.module.css'

interface TagProps {
  /** Absent: neither good nor bad. */
  tone?: 'amber' | 'coral' | 'accent' | undefined
  className?: string | undefined
  children: ReactNode
}

/** A word or two about what it stands beside. */
export function Tag({ tone, className, children }: TagProps) {
  return (
    <span className={[classes.tag, className].filter(Boolean).join(' ')} data-tone={tone}>
      {children}
    </span>
  )
}

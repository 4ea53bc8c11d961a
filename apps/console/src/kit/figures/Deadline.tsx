import type { ReactNode } from 'react'
import { useLocale } from '../../locales/text.ts'
import { explainDeadline } from '../format/deadlines.ts'

interface DeadlineProps {
  /** When it ends: ISO 8601. */
  at: string
  /** On the clock that `at` is of, ms. */
  now: number
  /** The words that name it, with `formatDeadline`. */
  children: ReactNode
}

/** Words with a deadline in the reader's zone; hover and focus tell it in UTC, with the time left. */
export function Deadline({ at, now, children }: DeadlineProps) {
  const locale = useLocale()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focus shows the tip
    <time dateTime={at} tabIndex={0} data-tip={explainDeadline(at, now, locale)}>
      {children}
    </time>
  )
}

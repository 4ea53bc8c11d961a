import type { ReactNode } from 'react'
import { useText } from '../../locales/text.ts'
import classes from './TimeLeft.module.css'
import { formatTimeLeft } from './time-left.ts'
import { useAccountNow } from './use-customer.ts'

/** How long an order can be paid, ms; the ring is full then. */
const wholeMs = 24 * 60 * 60_000

interface TimeLeftProps {
  /** Until when, on the account's clock. */
  until: string
  /** Until when, or what happens then. */
  children: ReactNode
}

/** How long something can be paid: a ring, hours and minutes, and until when. It steps once a second. */
export function TimeLeft({ until, children }: TimeLeftProps) {
  const t = useText()
  const leftMs = Math.max(0, Date.parse(until) - useAccountNow(1000))
  return (
    <div className={classes.left}>
      <TimeRing share={leftMs / wholeMs} />
      <div>
        <div className={classes.figure} role="timer">
          {t('money.left', { time: formatTimeLeft(leftMs) })}
        </div>
        <div className="tiny quiet num">{children}</div>
      </div>
    </div>
  )
}

interface TimeRingProps {
  /** 0 to 1 of the time. */
  share: number
  size?: number
}

export function TimeRing({ share, size = 40 }: TimeRingProps) {
  return (
    <svg className={classes.ring} width={size} height={size} viewBox="0 0 40 40" fill="none" aria-hidden="true">
      <circle className={classes.track} cx="20" cy="20" r="18.5" />
      <circle
        className={classes.time}
        cx="20"
        cy="20"
        r="18.5"
        pathLength={100}
        strokeDasharray={`${Math.min(1, Math.max(0, share)) * 100} 100`}
      />
    </svg>
  )
}

import { IconAlertCircle, IconCircleCheck, IconClock, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Notice.module.css'

const icons = {
  neutral: IconInfoCircle,
  accent: IconInfoCircle,
  amber: IconClock,
  green: IconCircleCheck,
  coral: IconAlertCircle,
}

interface NoticeProps {
  tone?: keyof typeof icons
  /** The sentence that matters, bold when another follows. */
  title: ReactNode
  /** One plain sentence more. */
  children?: ReactNode
  /** At most one action. */
  action?: ReactNode
  icon?: ReactNode
  /** `alert` interrupts, `status` is announced politely; without either nothing is announced. */
  role?: 'alert' | 'status'
}

/**
 * One sentence bold, one plain, at most one action: neutral, accent (a step to take), amber (expired), green
 * (successful) or coral.
 */
export function Notice({ tone = 'neutral', title, children, action, icon, role }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div className={classes.notice} data-tone={tone} role={role}>
      <span className={classes.icon}>{icon ?? <Icon size={18} stroke={1.6} aria-hidden="true" />}</span>
      <div className={classes.text}>
        {children ? <b>{title}</b> : <span className={classes.only}>{title}</span>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}

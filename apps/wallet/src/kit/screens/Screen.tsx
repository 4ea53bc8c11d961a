import { IconArrowLeft, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useText } from '../../i18n/text.ts'
import classes from './Screen.module.css'

interface ScreenProps {
  /** In the bar; the page's h1 when `heading` is absent. */
  title?: string
  /** Large, at the top of the content. */
  heading?: string
  lead?: string
  /** The way out at the left; absent: none. */
  leave?:
    | { icon: 'back' | 'close'; to: '/' | '/welcome' | '/settings' | '/new/words' }
    | { icon: 'back' | 'close'; onLeave(): void }
  /** At the right of the bar. */
  tools?: ReactNode
  /** Pinned low. */
  actions?: ReactNode
  children?: ReactNode
}

/** One column: a bar, the content, and the actions pinned low. Focus goes to the heading, so that it is read first. */
export function Screen({ title, heading, lead, leave, tools, actions, children }: ScreenProps) {
  const top = useRef<HTMLHeadingElement>(null)
  useEffect(() => top.current?.focus({ preventScroll: true }), [])
  return (
    <main className={classes.screen}>
      <div className={classes.bar}>
        <span className={classes.side}>{leave && <LeaveButton leave={leave} />}</span>
        {title && !heading && (
          <h1 ref={top} tabIndex={-1} className={classes.title}>
            {title}
          </h1>
        )}
        {title && heading && <span className={classes.title}>{title}</span>}
        <span className={classes.side}>{tools}</span>
      </div>
      <div className={classes.content}>
        {heading && (
          <h1 ref={top} tabIndex={-1} className={classes.heading}>
            {heading}
          </h1>
        )}
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </main>
  )
}

function LeaveButton({ leave }: { leave: NonNullable<ScreenProps['leave']> }) {
  const t = useText()
  const Icon = leave.icon === 'back' ? IconArrowLeft : IconX
  const label = t(leave.icon === 'back' ? 'act.back' : 'act.close')
  const icon = <Icon size={22} stroke={1.7} aria-hidden="true" />
  if ('to' in leave)
    return (
      <Link to={leave.to} className={classes.tool} aria-label={label} title={label}>
        {icon}
      </Link>
    )
  return (
    <button type="button" onClick={leave.onLeave} className={classes.tool} aria-label={label} title={label}>
      {icon}
    </button>
  )
}

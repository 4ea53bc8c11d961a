import { type ReactNode, useEffect, useRef, useState } from 'react'
import { StatusDot } from '../status/StatusDot.tsx'
import { LogLine } from './LogLine.tsx'
import classes from './LogView.module.css'

interface LogViewProps {
  lines: string[]
  /** Heading, such as 'Log'. */
  title: string
  /** Its name where a page has several; otherwise its title. */
  name?: string | undefined
  /** The object that is being written now. */
  subtitle?: string
  /** Lines are still coming. */
  live: boolean
  followingLabel: string
  /** Text of the button that jumps to the end and follows again. */
  followLabel: string
  emptyLabel: string
  /** Copy and the like. */
  actions?: ReactNode
}

/** px from the end within which the reader counts as being at the end. */
const nearEnd = 24

/** A log that follows its end until the reader scrolls up, and again on the button. Reachable by keyboard. */
export function LogView({
  lines,
  title,
  name = title,
  subtitle,
  live,
  followingLabel,
  followLabel,
  emptyLabel,
  actions,
}: LogViewProps) {
  const box = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useState(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line moves the end
  useEffect(() => {
    if (following && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [following, lines.length])

  function noticeScroll() {
    const element = box.current
    if (element) setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd)
  }

  return (
    <section className={classes.log} aria-label={name}>
      <header className={classes.header}>
        <b>{title}</b>
        <span className={classes.subtitle}>{subtitle}</span>
        {live && following && (
          <span className={classes.state}>
            <StatusDot colour="amber" shape="ring" /> {followingLabel}
          </span>
        )}
        {!following && (
          <button type="button" className={classes.follow} onClick={() => setFollowing(true)}>
            {followLabel}
          </button>
        )}
        {actions}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div ref={box} className={classes.lines} role="log" aria-label={name} tabIndex={0} onScroll={noticeScroll}>
        {lines.length === 0 && <div className={classes.empty}>{emptyLabel}</div>}
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a log only grows at its end
          <LogLine key={index} line={line} />
        ))}
        {live && <span className={classes.cursor} aria-hidden="true" />}
      </div>
    </section>
  )
}

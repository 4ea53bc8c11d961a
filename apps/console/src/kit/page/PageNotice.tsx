import { Notice } from '@atoll/ui'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import classes from './PageNotice.module.css'
import { leaveNotice, usePageNotice } from './page-notice.ts'

/** The result of what was done on the page before, in green above the one that it led to. */
export function PageNotice() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname }) ?? ''
  const text = usePageNotice(path)
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => () => leaveNotice(path), [path])
  // The dialog may have been opened far down the page.
  useEffect(() => {
    if (text !== undefined) shown.current?.scrollIntoView({ block: 'nearest' })
  }, [text])
  if (text === undefined) return null
  return (
    <div ref={shown} className={classes.notice}>
      <Notice tone="green" role="status" title={text} />
    </div>
  )
}

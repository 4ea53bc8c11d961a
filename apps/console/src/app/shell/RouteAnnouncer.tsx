import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useRouteFocus } from '../../kit/browser/use-route-focus.ts'

/** Says to a screen reader which page was reached, and moves focus to its heading. Draws nothing. */
export function RouteAnnouncer() {
  useRouteFocus()
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(path)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (path === undefined || before.current === path) return
    // Screen readers read the first page without help.
    if (before.current !== undefined) setSaid(document.title)
    before.current = path
  }, [path])
  return (
    <div aria-live="polite" className="visually-hidden">
      {said}
    </div>
  )
}

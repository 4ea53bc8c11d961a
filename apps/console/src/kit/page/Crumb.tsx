import { type ReactNode, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { crumbSlot } from './crumb-slot.ts'

/** Puts its children in the breadcrumb, as the name of what the page shows. */
export function Crumb({ children }: { children: ReactNode }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => {
    const look = () => setSlot(document.getElementById(crumbSlot))
    look()
    // The breadcrumb may be drawn after the page, and goes where the window is narrow.
    const watching = new MutationObserver(look)
    watching.observe(document.body, { childList: true, subtree: true, attributeFilter: ['id'] })
    return () => watching.disconnect()
  }, [])
  return slot && createPortal(children, slot)
}

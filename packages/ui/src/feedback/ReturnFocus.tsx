import { useLayoutEffect, useRef } from 'react'

/** What has focus now; for an item of a menu, which is about to go, the button the menu hangs on. */
function focusedElement(): HTMLElement | null {
  const focused = document.activeElement
  const menu = focused?.closest('[role="menu"]')
  const button = menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  return button ?? (focused instanceof HTMLElement ? focused : null)
}

interface ReturnFocusProps {
  /** False: what was chosen in it takes focus itself. */
  wanted?: boolean
}

/**
 * Inside of something that opens: gives focus back, as it goes, to what had it before. Mantine's own does not for a
 * part that appears already opened, as everything does that is fetched when it is first wanted. Draws nothing.
 */
export function ReturnFocus({ wanted = true }: ReturnFocusProps) {
  const isWanted = useRef(wanted)
  useLayoutEffect(() => {
    isWanted.current = wanted
  }, [wanted])
  useLayoutEffect(() => {
    const before = focusedElement()
    return () => {
      if (isWanted.current) before?.focus({ preventScroll: true })
    }
  }, [])
  return null
}

import { useLayoutEffect, useRef } from 'react'

/** The focused element; for a menu item, which is about to go, the button of its menu. */
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

/** Focus goes to the page's heading, where it has one: Tab goes on from the top of what is shown. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/**
 * Gives focus back to `before`. Where it is gone, or goes while it still has focus, as the button of a row that was
 * removed does once the list is read again, the page's heading has it.
 */
function giveBack(before: HTMLElement | null): void {
  if (!before?.isConnected || before === document.body) {
    focusHeading()
    return
  }
  before.focus({ preventScroll: true })
  if (document.activeElement !== before) return
  const watching = new MutationObserver(() => {
    if (before.isConnected) return
    stop()
    if (document.activeElement === document.body) focusHeading()
  })
  function stop() {
    watching.disconnect()
    document.removeEventListener('focusin', onFocus)
  }
  function onFocus({ target }: FocusEvent) {
    if (target !== before) stop()
  }
  watching.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', onFocus)
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
      if (isWanted.current) giveBack(before)
    }
  }, [])
  return null
}

import { type RefObject, useEffect } from 'react'

/** Gives focus to the page's heading when what has it inside of `box` goes, as files that are moved or deleted do. */
export function useKeptFocus(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current
    if (!element) return
    let isInside = false
    const enter = () => {
      isInside = true
    }
    const leave = ({ relatedTarget }: FocusEvent) => {
      // Nothing takes focus from what is removed.
      if (relatedTarget) isInside = false
    }
    const observer = new MutationObserver(() => {
      if (isInside && document.activeElement === document.body) {
        document.querySelector('h1')?.focus({ preventScroll: true })
      }
    })
    element.addEventListener('focusin', enter)
    element.addEventListener('focusout', leave)
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      element.removeEventListener('focusin', enter)
      element.removeEventListener('focusout', leave)
      observer.disconnect()
    }
  }, [box])
}

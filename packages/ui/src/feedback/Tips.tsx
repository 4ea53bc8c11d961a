import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import classes from './Tips.module.css'

/** Before a tip shows under a resting pointer, ms. */
const restMs = 300
/** Between an element and its tip, and a tip and the edge of the window, px. */
const gap = 6
const margin = 8

interface Tip {
  element: HTMLElement
  text: string
}

/** The words of a button that end in '…', for want of room; undefined where all of them are seen. */
function cutWords(element: Element): string | undefined {
  const label = element.querySelector('.mantine-Button-label')
  return label && label.scrollWidth > label.clientWidth ? (label.textContent ?? undefined) : undefined
}

/** An open menu shows more than the tip of the button that it hangs from, which would cover it. */
const wordsOf = (element: HTMLElement) =>
  element.matches('[aria-haspopup][aria-expanded=true]') ? undefined : element.dataset['tip'] || cutWords(element)

const tipped = ':is([data-tip], .mantine-Button-root)'

function tippedOf(target: EventTarget | null): HTMLElement | null {
  const element = target instanceof Element ? target.closest<HTMLElement>(tipped) : null
  return element && wordsOf(element) !== undefined ? element : null
}

/** Pointed at, reached by key or tapped while this code was on its way, which the events told to nobody. */
function findReached(): HTMLElement | null {
  const pointedAt = matchMedia('(hover: hover)').matches ? `${tipped}:hover, ` : ''
  return tippedOf(document.querySelector(`${pointedAt}${tipped}:focus-visible, time[data-tip]:focus`))
}

/**
 * The tips of a whole front end: an element with `data-tip` shows that text, and a button whose words are cut all of
 * them, while it is pointed at or has focus, and at once when the text changes under the pointer ('Copied'). One part
 * for all, where a component around each button would be a positioning library on every page. A tip with other words
 * than the element's name describes it to a screen reader.
 */
export function Tips() {
  const id = useId()
  const bubble = useRef<HTMLDivElement>(null)
  const [tip, setTip] = useState<Tip>()

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let near: HTMLElement | undefined
    const show = (element: HTMLElement) => {
      const text = wordsOf(element)
      setTip(text ? { element, text } : undefined)
    }
    const hide = () => {
      clearTimeout(timer)
      setTip(undefined)
    }
    const changes = new MutationObserver(() => near && show(near))
    const approach = (element: HTMLElement, delay: number | undefined) => {
      if (element !== near) {
        changes.disconnect()
        changes.observe(element, { attributeFilter: ['data-tip'] })
        near = element
        hide()
      }
      if (delay === undefined) return
      clearTimeout(timer)
      timer = setTimeout(() => show(element), delay)
    }
    const leave = () => {
      changes.disconnect()
      near = undefined
      hide()
    }
    const onOver = (event: PointerEvent) => {
      const element = tippedOf(event.target)
      if (!element) leave()
      else if (element !== near) approach(element, event.pointerType === 'touch' ? undefined : restMs)
    }
    const onFocus = ({ target }: FocusEvent) => {
      const element = tippedOf(target)
      if (element?.matches(':focus-visible')) approach(element, 0)
    }
    const onClick = ({ target }: MouseEvent) => {
      const element = tippedOf(target)
      // Pressing a time has no other effect, and a finger can do nothing else.
      if (element) approach(element, element.matches('time') ? 0 : undefined)
    }
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide()
    document.addEventListener('pointerover', onOver)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', leave)
    document.addEventListener('click', onClick)
    document.addEventListener('keydown', onKey)
    document.addEventListener('scroll', hide, true)
    const reached = findReached()
    if (reached) approach(reached, restMs)
    return () => {
      leave()
      document.removeEventListener('pointerover', onOver)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', leave)
      document.removeEventListener('click', onClick)
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('scroll', hide, true)
    }
  }, [])

  useLayoutEffect(() => {
    const box = bubble.current
    if (!box || !tip) return
    const { element, text } = tip
    const at = element.getBoundingClientRect()
    const above = at.top - box.offsetHeight - gap
    const top = above < margin ? at.bottom + gap : above
    const centred = at.left + (at.width - box.offsetWidth) / 2
    const left = Math.min(Math.max(centred, margin), innerWidth - box.offsetWidth - margin)
    box.style.translate = `${left}px ${top}px`
    const names = [element.getAttribute('aria-label'), element.textContent]
    if (names.includes(text) || element.hasAttribute('aria-describedby')) return
    element.setAttribute('aria-describedby', id)
    return () => element.removeAttribute('aria-describedby')
  }, [tip, id])

  return (
    tip && (
      <div ref={bubble} id={id} role="tooltip" className={classes.tip}>
        {tip.text}
      </div>
    )
  )
}

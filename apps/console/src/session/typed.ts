/**
 * Whether text or choices on the page would be lost with it. Finds every form automatically; a page reports only what
 * it keeps beyond its fields.
 */
import { isTextField } from '@atoll/ui'
import { useEffect } from 'react'

type TextField = HTMLInputElement | HTMLTextAreaElement

/** The value of each field when a person first came to it. */
const before = new Map<TextField, string>()
/** Boxes and radios of forms that a person changed. */
const changed = new Set<HTMLInputElement>()
/** Of what pages keep beyond their fields, one each. */
const kept = new Set<symbol>()

/** Outside a form a choice takes effect at once, or stands in the address: nothing of it can be lost. */
function isFormChoice(target: EventTarget | null): target is HTMLInputElement {
  return (
    target instanceof HTMLInputElement &&
    (target.type === 'checkbox' || target.type === 'radio') &&
    target.closest('form, [role=dialog]') !== null
  )
}

function forgetGone(): void {
  for (const field of before.keys()) if (!field.isConnected) before.delete(field)
  for (const choice of changed) if (!choice.isConnected) changed.delete(choice)
}

/** Follows what a person types and chooses. Called once. */
export function followTyping(): void {
  document.addEventListener('focusin', ({ target }) => {
    forgetGone()
    if (isTextField(target) && !before.has(target)) before.set(target, target.value)
  })
  document.addEventListener('change', ({ target }) => {
    if (isFormChoice(target)) changed.add(target)
  })
}

/**
 * A field on the page holds something else than when its person came to it, or the page keeps what they typed before.
 */
export function hasTyped(): boolean {
  forgetGone()
  return kept.size > 0 || changed.size > 0 || [...before].some(([field, value]) => field.value !== value)
}

/** For a page that keeps the text of a field that is gone: `keeps` while it does. */
export function useKeepsTyped(keeps: boolean): void {
  useEffect(() => {
    if (!keeps) return
    const mine = Symbol()
    kept.add(mine)
    return () => void kept.delete(mine)
  }, [keeps])
}

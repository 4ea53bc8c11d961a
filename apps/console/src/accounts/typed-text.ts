/** Whether something is typed on the page that would be lost with it. Knows of every form without being told by any. */

type TextField = HTMLInputElement | HTMLTextAreaElement
const textTypes = new Set(['text', 'email', 'number', 'tel', 'url', 'password'])

/** What each field held when a person first came to it. */
const before = new Map<TextField, string>()

function isForm(target: EventTarget | null): target is TextField {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly
  // A field that searches or filters holds nothing to be missed.
  return (
    target instanceof HTMLInputElement &&
    textTypes.has(target.type) &&
    !target.readOnly &&
    target.getAttribute('role') !== 'combobox'
  )
}

function forgetGone(): void {
  for (const field of before.keys()) if (!field.isConnected) before.delete(field)
}

/** Follows where a person types. Called once. */
export function followTyping(): void {
  document.addEventListener('focusin', ({ target }) => {
    forgetGone()
    if (isForm(target) && !before.has(target)) before.set(target, target.value)
  })
}

/** A field on the page holds something else than when its person came to it. */
export function hasTypedText(): boolean {
  forgetGone()
  return [...before].some(([field, value]) => field.value !== value)
}

type TextField = HTMLInputElement | HTMLTextAreaElement

const textTypes = new Set(['text', 'email', 'number', 'tel', 'url', 'password'])

/**
 * Whether something can be typed there that a person would miss. A field that searches or filters holds nothing such.
 */
export function isTextField(target: EventTarget | null): target is TextField {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly
  return (
    target instanceof HTMLInputElement &&
    textTypes.has(target.type) &&
    !target.readOnly &&
    target.getAttribute('role') !== 'combobox'
  )
}

/** The key that goes with a letter on this kind of computer, as it is written on it. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** The part that a key press asks for. Only with Ctrl or ⌘: a letter alone belongs to a text field. */
export function commandOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined
  if (event.key.toLowerCase() === 'k' && !event.shiftKey) return 'palette'
  // On many keyboards '/' is itself typed with Shift.
  if (event.key === '/') return 'shortcuts'
  return undefined
}

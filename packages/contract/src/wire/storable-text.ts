/**
 * Text that all our stores can hold: PostgreSQL takes no NUL, and jsonb neither NUL nor half of a surrogate pair (RFC
 * 8259 §8.2 calls the latter unpredictable).
 */

/** Whether `text` has no NUL and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/**
 * The path to the first text in `value`, a key included, that cannot be stored; undefined when all can. `value` is what
 * a body, a signed payload or a message was decoded to, so it has no cycles. A key in the path is made storable.
 */
export function findUnstorable(value: unknown): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return [key.replaceAll('\0', '\uFFFD').toWellFormed()]
    const path = findUnstorable(inner)
    if (path) return [key, ...path]
  }
  return undefined
}

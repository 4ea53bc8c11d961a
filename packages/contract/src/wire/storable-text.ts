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
  // A list instead of recursion: a body may be nested deeper than the stack allows.
  const open: Place[] = [{ value }]
  for (let place = open.pop(); place; place = open.pop()) {
    const inner = place.value
    if (!isStorable(place.key ?? '')) return pathTo(place)
    if (typeof inner === 'string' && !isStorable(inner)) return pathTo(place)
    if (typeof inner !== 'object' || inner === null) continue
    // Reversed: the next one is taken from the end of the list.
    for (const [key, each] of Object.entries(inner).reverse()) open.push({ value: each, key, above: place })
  }
  return undefined
}

interface Place {
  value: unknown
  /** Absent: of the whole value. */
  key?: string
  above?: Place
}

function pathTo(place: Place): string[] {
  const path: string[] = []
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.above)
    path.push(at.key.replaceAll('\0', '\uFFFD').toWellFormed())
  return path.reverse()
}

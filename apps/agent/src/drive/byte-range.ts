/** The `Range` header (RFC 9110, 14.1.2): one range of bytes, both ends included. */
export type ByteRange = { start: number; end: number } | 'whole' | 'unsatisfiable'

/**
 * The range that `header` asks for of `size` bytes. Several ranges, another unit or a malformed header get the whole,
 * as the standard allows: a server may ignore `Range`.
 */
export function parseRange(header: string | undefined, size: number): ByteRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

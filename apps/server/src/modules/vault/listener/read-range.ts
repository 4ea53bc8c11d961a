/** First and last byte that are wanted. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Reads the header `range` for a file of `bytes` bytes (RFC 9110, 14.1.2). Undefined: all of it is wanted, as when the
 * header is none that we know or asks for several ranges; 'none': nothing of what is wanted is there.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | 'none' | undefined {
  const found = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '')
  if (!found) return undefined
  const [, first = '', last = ''] = found
  // Of nothing no part can be wanted: all of it is the answer, as restic's own server gives it.
  if (bytes === 0 || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'none' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= bytes ? 'none' : { start, end }
}

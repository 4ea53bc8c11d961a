/**
 * Names of any bytes as text that JSON and addresses carry. UTF-8 stays as it is; each other byte is one of the 128
 * characters from U+10FF80 on, which have no meaning. If a name holds such characters itself, their bytes are written
 * so, too: each text is one name.
 */
import { isUtf8 } from 'node:buffer'

/** The character of a byte is so far from it. */
const shift = 0x10_ff00
const lowest = shift + 0x80
const byteCharacter = /[\u{10ff80}-\u{10ffff}]/gu

export function textOfBytes(bytes: Buffer): string {
  return decode(bytes, (character) => (character.codePointAt(0) ?? 0) < lowest, byteText)
}

/** The bytes that `text` stands for. */
export function bytesOfText(text: string): Buffer {
  if (text.search(byteCharacter) === -1) return Buffer.from(text)
  const parts = Array.from(text, (character) => {
    const point = character.codePointAt(0) ?? 0
    return point < lowest ? Buffer.from(character) : Buffer.of(point - shift)
  })
  return Buffer.concat(parts)
}

/** As restic's JSON has it: each byte that is no UTF-8 is U+FFFD. */
export function lossyOf(text: string): string {
  return decode(
    bytesOfText(text),
    () => true,
    () => '\ufffd',
  )
}

/** As a person reads it. */
export function readableOf(text: string): string {
  return text.replace(byteCharacter, '\ufffd')
}

/** Whether JSON of restic with this name leaves its bytes open, or would be read as other bytes. */
export function isOpen(name: string): boolean {
  return name.includes('\ufffd') || name.search(byteCharacter) !== -1
}

/**
 * The bytes of each of `names`, which restic wrote in JSON, from what it prints of the same entries as text: lines that
 * begin with `before` and end with the name. A name may hold line feeds. Undefined when it printed something else.
 */
export function findBytes(printed: Buffer, before: Buffer, names: readonly string[]): Buffer[] | undefined {
  const found: Buffer[] = []
  let at = 0
  for (const name of names) {
    if (printed.compare(before, 0, before.length, at, Math.min(at + before.length, printed.length)) !== 0)
      return undefined
    const from = at + before.length
    at = from
    for (const character of name) at += isLost(character, printed, at) ? 1 : Buffer.byteLength(character)
    found.push(printed.subarray(from, at))
    if (printed[at] !== 0x0a) return undefined
    at += 1
  }
  return found
}

const replacement = Buffer.from('\ufffd')

/** Whether it stands for a byte, and is not itself there. */
function isLost(character: string, printed: Buffer, at: number): boolean {
  return character === '\ufffd' && !printed.subarray(at, at + replacement.length).equals(replacement)
}

/** `isItself`: of a character; other characters, and invalid bytes, are encoded byte by byte. */
function decode(bytes: Buffer, isItself: (character: string) => boolean, encode: (byte: number) => string): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0
    const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    const part = bytes.subarray(at, at + length)
    const character = isUtf8(part) ? part.toString() : undefined
    const isWhole = character !== undefined && isItself(character)
    text += isWhole ? character : encode(first)
    at += isWhole ? length : 1
  }
  return text
}

function byteText(byte: number): string {
  return String.fromCodePoint(shift + byte)
}

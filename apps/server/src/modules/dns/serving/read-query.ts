/**
 * Reads a question from a packet that anybody may have made. Only what is needed is read, each byte once, so nothing
 * in a packet can make this loop. A name keeps its bytes: the answer repeats the question as it came, letter case
 * included (a resolver may check that).
 */
import { types } from './codes.ts'

export interface Query {
  /** The name in lower case, see `Question`. */
  name: string
  type: number
  class: number
  /** Where the question ends in the packet, bytes; it begins at 12. */
  questionEnd: number
  edns: Edns | undefined
}

/** The content of the pseudo-record OPT (RFC 6891). */
export interface Edns {
  version: number
  /** The longest answer over UDP that the client can take, bytes. */
  size: number
  /** DNSSEC OK, repeated in the answer (RFC 3225). */
  dnssecOk: boolean
}

export const headerLength = 12
const opcodeQuery = 0
/** A name has at most 255 bytes; the rest is room for options of EDNS. Bytes. */
export const longestQuery = 1232

/**
 * The parsed packet, or the answer to one that is no valid question; `drop`: none, since it may itself be an answer.
 */
export type ReadQuery =
  | { kind: 'query'; query: Query }
  | { kind: 'fault'; rcode: 'FORMERR' | 'NOTIMP' }
  | { kind: 'drop' }

const formerr = { kind: 'fault', rcode: 'FORMERR' } as const

export function readQuery(packet: Buffer): ReadQuery {
  if (packet.length < headerLength) return { kind: 'drop' }
  const flags = packet.readUInt16BE(2)
  // An answer that is answered comes back for ever.
  if (flags & 0x8000) return { kind: 'drop' }
  if (packet.length > longestQuery) return formerr
  if (((flags >> 11) & 0xf) !== opcodeQuery) return { kind: 'fault', rcode: 'NOTIMP' }
  if (packet.readUInt16BE(4) !== 1) return formerr
  const name = readName(packet, headerLength)
  if (!name || name.end + 4 > packet.length) return formerr
  const questionEnd = name.end + 4
  const more = readRecords(packet, questionEnd)
  if (!more) return formerr
  const [type, klass] = [packet.readUInt16BE(name.end), packet.readUInt16BE(name.end + 2)]
  return { kind: 'query', query: { name: name.text, type, class: klass, questionEnd, edns: more.edns } }
}

/** A name without compression, which a question cannot have: nothing precedes it. */
function readName(packet: Buffer, begin: number): { text: string; end: number } | undefined {
  let text = ''
  for (let at = begin; ; ) {
    const length = packet[at]
    if (length === undefined || length > 63) return undefined
    at += 1
    if (length === 0) return at - begin > 255 ? undefined : { text, end: at }
    if (at + length > packet.length) return undefined
    const label = packet.toString('latin1', at, at + length)
    text += `${text === '' ? '' : '.'}${/^[\w*-]+$/.test(label) ? label.toLowerCase() : escapeLabel(label)}`
    at += length
  }
}

/** So that no label with a dot in it is taken for two. Only letters of ASCII have a case (RFC 4343). */
function escapeLabel(label: string): string {
  return label.replace(/[^\w*-]/g, (char) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`).toLowerCase()
}

/**
 * Reads the records after the question, of which only OPT counts. Undefined: they end too early, or OPT is there twice.
 */
function readRecords(packet: Buffer, begin: number): { edns: Edns | undefined } | undefined {
  const count = packet.readUInt16BE(6) + packet.readUInt16BE(8)
  const additional = packet.readUInt16BE(10)
  let edns: Edns | undefined
  let at = begin
  for (let index = 0; index < count + additional; index += 1) {
    const isRoot = packet[at] === 0
    const end = skipName(packet, at)
    if (end === undefined || end + 10 > packet.length) return undefined
    if (packet.readUInt16BE(end) === types.OPT) {
      // RFC 6891, 6.1.1: once, at the root, among the additional ones.
      if (edns || !isRoot || index < count) return undefined
      edns = {
        size: packet.readUInt16BE(end + 2),
        version: packet.readUInt8(end + 5),
        dnssecOk: (packet.readUInt16BE(end + 6) & 0x8000) !== 0,
      }
    }
    at = end + 10 + packet.readUInt16BE(end + 8)
    if (at > packet.length) return undefined
  }
  return { edns }
}

function skipName(packet: Buffer, begin: number): number | undefined {
  for (let at = begin; ; ) {
    const length = packet[at]
    if (length === undefined) return undefined
    if (length === 0) return at + 1
    if (length >= 0xc0) return at + 2
    if (length > 63) return undefined
    at += 1 + length
  }
}

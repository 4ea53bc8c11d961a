/** Questions as bytes, and answers as words. */
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  type OptAnswer,
  type RecordType,
} from 'dns-packet'

export interface AskOptions {
  id?: number
  /** Size that EDNS offers; undefined: no EDNS. */
  edns?: number
  ednsVersion?: number
}

export function questionBytes(name: string, type: AskedType, options: AskOptions = {}): Buffer {
  const { id = 7, edns, ednsVersion = 0 } = options
  const opt: OptAnswer = {
    name: '.',
    type: 'OPT',
    udpPayloadSize: edns ?? 0,
    extendedRcode: 0,
    ednsVersion,
    flags: 0,
    flag_do: false,
    options: [],
  }
  return encode({
    type: 'query',
    id,
    questions: [{ name, type: type as RecordType }],
    ...(edns !== undefined && { additionals: [opt] }),
  })
}

/** The library writes ANY and does not declare it. */
export type AskedType = RecordType | 'ANY'

/** `name type value`, names in lower case; of SOA its serial. */
export function formatRecord(answer: Answer): string {
  const name = answer.name.toLowerCase()
  if (answer.type === 'SOA') return `${name} SOA ${answer.data.serial}`
  if (answer.type === 'TXT') return `${name} TXT ${[answer.data].flat().join('')}`
  if (answer.type === 'CAA') return `${name} CAA ${answer.data.flags} ${answer.data.tag} "${answer.data.value}"`
  return `${name} ${answer.type} ${'data' in answer ? String(answer.data) : ''}`
}

export function readAnswer(bytes: Buffer): DecodedPacket & { isAuthoritative: boolean } {
  const packet = decode(bytes)
  return { ...packet, isAuthoritative: ((packet.flags ?? 0) & AUTHORITATIVE_ANSWER) !== 0 }
}

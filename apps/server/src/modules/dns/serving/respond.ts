/** From the bytes of a question to the bytes of its answer. */
import { answer, type OwnedRecord, soaOf, type ZoneAnswer } from './answer.ts'
import { type Rcode, rcodes, types } from './codes.ts'
import type { CompiledZone } from './compile-zone.ts'
import { type Edns, headerLength, type Query, readQuery } from './read-query.ts'
import type { ZoneTable } from './zone-table.ts'

export type Transport = 'udp' | 'tcp'

export interface Response {
  bytes: Buffer
  rcode: Rcode
  /** Answers with the same one are the same to who floods; see `ZoneAnswer`. */
  source: string
}

/** The largest UDP payload that passes every path without fragmentation (DNS flag day 2020), bytes. */
const largestUdp = 1232
/** Over UDP without EDNS (RFC 1035, 4.2.1), bytes. */
const plainUdp = 512
const largestTcp = 65_535
const classIn = 1
const classAny = 255
/** Types of 128 to 254 ask for something else than records (RFC 6895, 3.1). */
const asksOtherwise = (type: number) => type >= 128 && type <= 254

/** Undefined: nothing is to be answered. */
export function respond(zones: ZoneTable, packet: Buffer, transport: Transport): Response | undefined {
  const read = readQuery(packet)
  if (read.kind === 'drop') return undefined
  if (read.kind === 'fault') return refusal(packet, read.rcode, undefined)
  const { query } = read
  const { edns } = query
  if (edns && edns.version > 0) return refusal(packet, 'BADVERS', query)
  if (query.type === types.OPT) return refusal(packet, 'FORMERR', query)
  if (query.type === types.AXFR || query.type === types.IXFR) return refusal(packet, 'REFUSED', query)
  if (asksOtherwise(query.type)) return refusal(packet, 'NOTIMP', query)
  if (query.class !== classIn && query.class !== classAny) return refusal(packet, 'REFUSED', query)
  const found = answer(zones, query)
  if (!found.zone) return refusal(packet, 'REFUSED', query)
  const most = transport === 'tcp' ? largestTcp : Math.min(Math.max(edns?.size ?? plainUdp, plainUdp), largestUdp)
  const bytes = build(packet, query, found, found.zone, most)
  return { bytes, rcode: found.rcode, source: found.source }
}

/** The answer that only says: ask over TCP. Never longer than the question was. */
export function truncatedAnswer(packet: Buffer): Buffer {
  const read = readQuery(packet)
  const end = read.kind === 'query' ? read.query.questionEnd : headerLength
  const bytes = Buffer.from(packet.subarray(0, end))
  bytes.writeUInt16BE(flagsOf(packet, 'NOERROR') | truncated, 2)
  bytes.writeUInt16BE(read.kind === 'query' ? 1 : 0, 4)
  bytes.fill(0, 6, headerLength)
  return bytes
}

const isResponse = 0x8000
const authoritative = 0x0400
const truncated = 0x0200

/** Of an answer to `packet`: its opcode and "recursion desired" are repeated. */
function flagsOf(packet: Buffer, rcode: Rcode): number {
  return isResponse | (packet.readUInt16BE(2) & 0x7900) | (rcodes[rcode] & 0xf)
}

/** An answer without records. It repeats the question only where that could be parsed. */
function refusal(packet: Buffer, rcode: Rcode, query: Query | undefined): Response {
  const bytes = Buffer.concat([packet.subarray(0, query?.questionEnd ?? headerLength), optOf(query?.edns, rcode)])
  bytes.writeUInt16BE(flagsOf(packet, rcode), 2)
  writeCounts(bytes, { questions: query ? 1 : 0, answers: 0, authorities: 0, additionals: query?.edns ? 1 : 0 })
  return { bytes, rcode, source: '' }
}

function build(packet: Buffer, query: Query, found: ZoneAnswer, zone: CompiledZone, most: number): Buffer {
  const toBytes = ({ owner, bytes }: OwnedRecord) => [ownerBytes(owner, zone.domain, query.questionEnd), bytes]
  const authorities = found.isNegative ? soaOf(zone).map((bytes) => ({ owner: zone.domain, bytes })) : []
  const question = packet.subarray(0, query.questionEnd)
  const opt = optOf(query.edns, found.rcode)
  const records = [...found.answers, ...authorities].flatMap(toBytes)
  const whole = [question, ...records, opt]
  // Part of a set would be taken for all of it.
  const isCut = whole.reduce((sum, { length }) => sum + length, 0) > most
  const bytes = Buffer.concat(isCut ? [question, opt] : whole)
  bytes.writeUInt16BE(flagsOf(packet, found.rcode) | authoritative | (isCut ? truncated : 0), 2)
  writeCounts(bytes, {
    questions: 1,
    answers: isCut ? 0 : found.answers.length,
    authorities: isCut ? 0 : authorities.length,
    additionals: query.edns ? 1 : 0,
  })
  return bytes
}

const pointerTo = (offset: number) => Buffer.from([0xc0 | (offset >> 8), offset & 0xff])
const questionPointer = pointerTo(headerLength)

/** Undefined: the name asked for. The zone's name stands at the end of that one. */
function ownerBytes(owner: string | undefined, domain: string, questionEnd: number): Buffer {
  if (owner === undefined) return questionPointer
  if (owner === domain) return pointerTo(questionEnd - 4 - (domain.length + 2))
  const labels = owner.split('.').map((label) => Buffer.from(` ${label}`, 'latin1'))
  for (const label of labels) label.writeUInt8(label.length - 1, 0)
  return Buffer.concat([...labels, Buffer.alloc(1)])
}

function writeCounts(
  bytes: Buffer,
  counts: { questions: number; answers: number; authorities: number; additionals: number },
): void {
  bytes.writeUInt16BE(counts.questions, 4)
  bytes.writeUInt16BE(counts.answers, 6)
  bytes.writeUInt16BE(counts.authorities, 8)
  bytes.writeUInt16BE(counts.additionals, 10)
}

const nothing = Buffer.alloc(0)

/** OPT of version 0 without options (RFC 6891, 6.1.2), for who sent one. */
function optOf(edns: Edns | undefined, rcode: Rcode): Buffer {
  if (!edns) return nothing
  const opt = Buffer.alloc(11)
  opt.writeUInt16BE(types.OPT, 1)
  opt.writeUInt16BE(largestUdp, 3)
  opt.writeUInt8(rcodes[rcode] >> 4, 5)
  opt.writeUInt16BE(edns.dnssecOk ? 0x8000 : 0, 7)
  return opt
}

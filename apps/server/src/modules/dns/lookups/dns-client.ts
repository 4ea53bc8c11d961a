/**
 * Asks a DNS server, over UDP, and over TCP when the answer was truncated. Packets that do not answer exactly this
 * question are ignored: an attacker who guesses the id, the port and the name must also send from the server's address
 * (RFC 5452).
 */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import {
  type Answer,
  CHECKING_DISABLED,
  type DecodedPacket,
  decode,
  encode,
  type OptAnswer,
  RECURSION_DESIRED,
  type RecordType,
} from 'dns-packet'

const escapeText = (text: string) => text.replaceAll('\0', '\\000')
const escapePart = (part: string | Buffer) => Buffer.from(escapeText(Buffer.from(part).toString('latin1')), 'latin1')

export interface DnsServerAddress {
  address: string
  port: number
}

/** A resolver, by the name that people know it by. */
export interface Resolver extends DnsServerAddress {
  name: string
}

export interface AskedQuestion {
  name: string
  type: RecordType
}

export interface AskOptions {
  /** Whether the server is to ask others. */
  recursive: boolean
  /** The server is not to judge signatures. */
  unchecked?: boolean
}

/** An answer that belongs to the question, with its code (RFC 1035, 4.1.1). */
export type Reply = DecodedPacket & { code: number }
/** Undefined: no answer that can be read, after every try. */
export type Ask = (server: DnsServerAddress, question: AskedQuestion, options: AskOptions) => Promise<Reply | undefined>

const tryMs = 2000
const tries = 2
/** The largest UDP payload that passes every path without fragmentation, bytes. */
const largestUdp = 1232

export const ask: Ask = async (server, question, options) => {
  for (let count = 0; count < tries; count += 1) {
    const reply = await askOnce(server, question, options, [opt])
    // A server that does not know the extension (RFC 6891, 7) knows the question without it.
    if (reply?.code === formatError) return (await askOnce(server, question, options, [])) ?? reply
    if (reply) return reply
  }
  return undefined
}

/** Whether a server answers anything at all, over UDP and over TCP: that it refuses is an answer. */
export async function askNameServer(server: DnsServerAddress): Promise<{ udp: boolean; tcp: boolean }> {
  const question: AskedQuestion = { name: '.', type: 'SOA' }
  const asked = async (over: typeof overUdp) =>
    (await askOnce(server, question, { recursive: false }, [], over)) !== undefined
  const [udp, tcp] = await Promise.all([asked(overUdp), asked(overTcp)])
  return { udp, tcp }
}

async function askOnce(
  server: DnsServerAddress,
  question: AskedQuestion,
  options: AskOptions,
  additionals: OptAnswer[],
  over: typeof overUdp = overUdp,
): Promise<Reply | undefined> {
  const id = randomInt(0x10000)
  const query = encode({
    type: 'query',
    id,
    flags: (options.recursive ? RECURSION_DESIRED : 0) | (options.unchecked ? CHECKING_DISABLED : 0),
    questions: [question],
    additionals,
  })
  const read = (bytes: Buffer) => readReply(bytes, id, question)
  const reply = await over(server, query, read)
  return reply?.flag_tc ? await overTcp(server, query, read) : reply
}

/** RFC 1035, 4.1.1. */
const formatError = 1

const opt: OptAnswer = {
  name: '.',
  type: 'OPT',
  udpPayloadSize: largestUdp,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
}

type Read = (bytes: Buffer) => Reply | undefined

/** Undefined: it is no answer to this question, or cannot be read. */
function readReply(bytes: Buffer, id: number, question: AskedQuestion): Reply | undefined {
  try {
    const packet = decode(bytes)
    const [asked, ...others] = packet.questions ?? []
    const code = (packet.flags ?? 0) & 0xf
    const isAsked =
      asked?.type === question.type && asked.name.toLowerCase() === question.name.toLowerCase() && others.length === 0
    // Of a question that a server could not read it need not repeat any.
    const isUnread = code === formatError && asked === undefined
    if (packet.type !== 'response' || packet.id !== id || !(isAsked || isUnread)) return undefined
    const [answers, authorities] = [packet.answers, packet.authorities].map((records) => records?.map(escapeNul))
    return { ...packet, answers: answers ?? [], authorities: authorities ?? [], code }
  } catch {
    return undefined // whatever came, it was no answer
  }
}

/** From a port of its own, which the system chooses at random; a connected socket receives from nobody else. */
function overUdp(server: DnsServerAddress, query: Buffer, read: Read): Promise<Reply | undefined> {
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4')
  const { promise, resolve } = Promise.withResolvers<Reply | undefined>()
  const timer = setTimeout(() => resolve(undefined), tryMs)
  socket.on('error', () => resolve(undefined)) // nobody there, or no way to it
  socket.on('message', (bytes) => {
    const reply = read(bytes)
    if (reply) resolve(reply)
  })
  socket.connect(server.port, server.address, () => socket.send(query))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.close()
  })
}

function overTcp(server: DnsServerAddress, query: Buffer, read: Read): Promise<Reply | undefined> {
  const socket = connect({ host: server.address, port: server.port })
  const { promise, resolve } = Promise.withResolvers<Reply | undefined>()
  const timer = setTimeout(() => resolve(undefined), tryMs)
  let pending = Buffer.alloc(0)
  socket.on('error', () => resolve(undefined))
  socket.on('close', () => resolve(undefined))
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk])
    // At most 65 535 bytes: what follows is not waited for.
    if (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0))
      resolve(read(pending.subarray(2, 2 + pending.readUInt16BE(0))))
  })
  const length = Buffer.alloc(2)
  length.writeUInt16BE(query.length, 0)
  socket.write(Buffer.concat([length, query]))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}

/**
 * `record` with each NUL in its texts written `\000`, as zone files do (RFC 1035 §5.1): names and strings of DNS may
 * hold any octet, and PostgreSQL refuses this one.
 */
function escapeNul(record: Answer): Answer {
  if (record.type === 'TXT')
    return { ...record, name: escapeText(record.name), data: [record.data].flat().map(escapePart) }
  return escapeTexts(record) as Answer // the same fields with the same kinds of values
}

function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value)
  if (Array.isArray(value)) return value.map(escapeTexts)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escapeTexts(inner)]))
}

/** Reduces an answer to its result about one record, which can be judged. */
import type { DomainVerdict } from '@atoll/contract/domains'
import type { Answer } from 'dns-packet'
import type { AskedQuestion, Reply } from './dns-client.ts'

/** That a record is absent as something else stands in its place, or as it was put elsewhere. */
export type Instead = Pick<DomainVerdict, 'kind' | 'found'>

/** A server's result about a record. */
export type Result =
  /** Texts as they are, names in lower case. `ttl`: s. */
  | { kind: 'values'; values: string[]; ttl: number }
  /** `ttl`: for how long the absence is remembered, s. */
  | { kind: 'absent'; ttl?: number | undefined; instead?: Instead }
  /** `bogus`: signatures that do not hold; `extendedError` as RFC 8914 numbers it. */
  | { kind: 'bogus'; extendedError?: number | undefined }
  | { kind: 'refused' }
  | { kind: 'lame' }
  | { kind: 'noAnswer' }

const codes = { noError: 0, servFail: 2, nxDomain: 3, refused: 5 } as const
const authoritative = 0x0400
/** RFC 8914. */
const extendedErrorOption = 15
export const longestChain = 8

export const lower = (name: string) => name.toLowerCase().replace(/\.$/, '')
export const isWithin = (name: string, zone: string) => zone === '' || name === zone || name.endsWith(`.${zone}`)

/**
 * The result of a server that was asked without recursion. `zone`: the one that it is to answer for. A referral to
 * servers of `name` is the answer to a question for NS.
 */
export function readDirect(reply: Reply | undefined, { name, type }: AskedQuestion, zone: string): Result {
  const plain = readPlain(reply, name, type)
  if (plain.kind !== 'absent' || !reply) return plain
  const referrals = (reply.authorities ?? []).filter((record) => record.type === 'NS')
  const own = referrals.filter((record) => lower(record.name) === name)
  if (type === 'NS' && own.length > 0) return toValues(own)
  if (((reply.flags ?? 0) & authoritative) !== 0) return plain
  // Below a delegation nothing of this zone counts; servers that send back up are no servers of it.
  const isDown = referrals.some((record) => lower(record.name) !== zone && isWithin(lower(record.name), zone))
  return isDown ? { kind: 'absent' } : { kind: 'lame' }
}

/** A resolver's result. `unchecked`: its answer to the same question without DNSSEC validation, if it failed. */
export function readResolved(
  reply: Reply | undefined,
  unchecked: Reply | undefined,
  { name, type }: AskedQuestion,
): Result {
  if (reply?.code !== codes.servFail) return readPlain(reply, name, type)
  if (unchecked?.code !== codes.noError && unchecked?.code !== codes.nxDomain) return { kind: 'noAnswer' }
  return { kind: 'bogus', extendedError: extendedErrorOf(reply) }
}

export const hasFailed = (reply: Reply | undefined) => reply?.code === codes.servFail
/** Whether there is an answer, be it that there is nothing. */
export const isAnswer = (reply: Reply | undefined): reply is Reply =>
  reply?.code === codes.noError || reply?.code === codes.nxDomain

function readPlain(reply: Reply | undefined, name: string, type: string): Result {
  if (!reply) return { kind: 'noAnswer' }
  if (reply.code === codes.refused) return { kind: 'refused' }
  if (!isAnswer(reply)) return { kind: 'lame' }
  const found = followAliases(reply.answers ?? [], name, type)
  if (found.length > 0) return toValues(found)
  const soa = (reply.authorities ?? []).find((record) => record.type === 'SOA')
  // RFC 2308, 5: the smaller one.
  const ttl = soa?.type === 'SOA' ? Math.min(soa.ttl ?? 0, soa.data.minimum ?? 0) : undefined
  return { kind: 'absent', ttl }
}

/** The records of `type` at the end of the aliases that an answer shows. */
function followAliases(answers: readonly Answer[], name: string, type: string): Answer[] {
  let at = name
  for (let length = 0; length <= longestChain; length += 1) {
    const found = answers.filter((record) => record.type === type && lower(record.name) === at)
    if (found.length > 0) return found
    const alias = answers.find((record) => record.type === 'CNAME' && lower(record.name) === at)
    if (alias?.type !== 'CNAME') return []
    at = lower(alias.data)
  }
  return []
}

/** Where the answer's aliases lead from `name`; undefined: it is none. */
export function aliasOf(reply: Reply | undefined, name: string): string | undefined {
  const record = reply?.answers?.find((answer) => answer.type === 'CNAME' && lower(answer.name) === name)
  return record?.type === 'CNAME' ? lower(record.data) : undefined
}

function toValues(records: readonly Answer[]): Result {
  const ttls = records.map((record) => ('ttl' in record ? (record.ttl ?? 0) : 0))
  return { kind: 'values', values: records.map(readValue), ttl: Math.min(...ttls) }
}

function readValue(record: Answer): string {
  // One record's strings are one text (RFC 7208, 3.3, as everybody does it).
  if (record.type === 'TXT')
    return Buffer.concat([record.data].flat().map((part) => Buffer.from(part))).toString('utf8')
  if (record.type === 'CAA') return `${record.data.flags} ${record.data.tag} "${record.data.value}"`
  return 'data' in record ? lower(String(record.data)) : ''
}

function extendedErrorOf(reply: Reply): number | undefined {
  const opt = reply.additionals?.find((record) => record.type === 'OPT')
  const option = opt?.type === 'OPT' ? opt.options.find(({ code }) => Number(code) === extendedErrorOption) : undefined
  const data = option && 'data' in option ? option.data : undefined
  return data && data.length >= 2 ? data.readUInt16BE(0) : undefined
}

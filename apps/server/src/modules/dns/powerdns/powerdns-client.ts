/**
 * Asks the API of one PowerDNS: answers of bounded size within a bounded time, parsed before anything is made of them.
 * After a question that got no answer nothing is asked for a while, so that thousands of zones do not wait for a server
 * that is away one after another.
 */
import { backoffMs } from '@atoll/contract/wire'
import { Agent, fetch } from 'undici'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Rrset, RrsetChange } from './rrsets.ts'

/** `away`: it may be there later, and may have done what it was asked; `refused`: it said no, or what is no answer. */
export class PowerDnsFault extends Error {
  override name = 'PowerDnsFault'
  readonly kind: 'away' | 'refused'
  constructor(kind: 'away' | 'refused', message: string) {
    super(message)
    this.kind = kind
  }
}

export interface PowerDnsZone {
  /** Whether this deployment made it. */
  isOurs: boolean
  /** Whether it is served as it stands: by this server itself, with the serial that it was given. */
  isPlain: boolean
  rrsets: Rrset[]
}

export interface PowerDns {
  /** Address of its API; names it in rows, log and metrics. */
  server: string
  findZone(domain: string): Promise<PowerDnsZone | undefined>
  createZone(domain: string, rrsets: readonly Rrset[]): Promise<void>
  /** Has an existing zone served as it stands. */
  makePlain(domain: string): Promise<void>
  /** All of these changes at once, or none of them. */
  patchZone(domain: string, changes: readonly RrsetChange[]): Promise<void>
  /** Safe to repeat. */
  removeZone(domain: string): Promise<void>
  /** The zones that this deployment made. */
  listOwnZones(): Promise<{ domain: string; serial: number }[]>
  /** How this process's questions ended so far. */
  calls(): Readonly<Record<'done' | PowerDnsFault['kind'], number>>
}

export interface PowerDnsOptions {
  /** Without a trailing slash. */
  url: string
  key: string
  /** Mark zones as this deployment's, the first one those of now; at most 40 characters each. */
  accounts: readonly string[]
  clock: Clock
  log: Log
  timeoutMs?: number
}

/** Bytes: 50 000 records in JSON, or a list of 100 000 zones. */
const longestAnswer = 48_000_000
const pause = { firstMs: 250, longestMs: 10_000 }

/** It hands zones to secondaries of its own, when the operator has it do so. */
const kind = 'Master'
/** A serial is left as it is given. */
const plain = { kind, soa_edit_api: '', soa_edit: '' }

const RrsetAnswer = z.object({
  name: z.string().max(260),
  type: z.string().max(20),
  ttl: z.int(),
  records: z.array(z.object({ content: z.string(), disabled: z.boolean() })),
})
const ZoneAnswer = z.object({
  account: z.string(),
  kind: z.string(),
  soa_edit_api: z.string(),
  soa_edit: z.string(),
  rrsets: z.array(RrsetAnswer),
})
const ListAnswer = z.array(z.object({ name: z.string().max(260), account: z.string(), serial: z.int() }))

export function createPowerDns(options: PowerDnsOptions): PowerDns {
  const { url, key, accounts, clock, log, timeoutMs = 20_000 } = options
  const account = accounts[0] ?? ''
  const dispatcher = new Agent({ maxResponseSize: longestAnswer })
  const calls = { done: 0, away: 0, refused: 0 }
  /** In a row. */
  let failures = 0
  let silentUntil = 0

  async function ask(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    const answer = await fetch(`${url}/api/v1/servers/localhost/${path}`, {
      method,
      headers: { 'x-api-key': key, accept: 'application/json', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      dispatcher,
    })
    return { status: answer.status, text: await answer.text() }
  }

  function away(why: string): PowerDnsFault {
    failures += 1
    silentUntil = clock.now().getTime() + backoffMs(failures, pause)
    calls.away += 1
    if (failures === 1) log.warn({ server: url, why }, 'PowerDNS does not answer; it is tried again')
    return new PowerDnsFault('away', why)
  }

  /** Undefined: there is no such thing. */
  async function call(method: string, path: string, body?: object): Promise<string | undefined> {
    if (clock.now().getTime() < silentUntil) throw new PowerDnsFault('away', 'it did not answer a moment ago')
    let answer: { status: number; text: string }
    try {
      answer = await ask(method, path, body)
    } catch (error) {
      throw away(whyOf(error))
    }
    const { status, text } = answer
    if (status >= 500 || status === 429) throw away(`HTTP ${status} ${said(text)}`)
    if (failures > 0) log.info({ server: url, failures }, 'PowerDNS answers again')
    failures = 0
    if (status === 404) {
      calls.done += 1
      return undefined
    }
    if (status < 200 || status > 299) {
      calls.refused += 1
      throw new PowerDnsFault('refused', `HTTP ${status} ${said(text)}`)
    }
    calls.done += 1
    return text
  }

  async function change(method: string, path: string, body: object): Promise<void> {
    if ((await call(method, path, body)) === undefined) throw new PowerDnsFault('refused', `HTTP 404 for ${path}`)
  }

  return {
    server: url,
    async findZone(domain) {
      const text = await call('GET', pathOf(domain))
      if (text === undefined) return undefined
      const zone = parse(ZoneAnswer, text)
      const isPlain =
        zone.account === account && zone.kind !== 'Slave' && zone.soa_edit_api === '' && zone.soa_edit === ''
      return { isOurs: accounts.includes(zone.account), isPlain, rrsets: zone.rrsets }
    },
    async createZone(domain, rrsets) {
      await change('POST', 'zones', { name: `${domain}.`, account, ...plain, nameservers: [], rrsets })
      // Making a zone leaves "no such zone" in its cache for a minute, a change of it does not.
      const changes = rrsets.filter(({ type }) => type === 'SOA').map((set) => ({ ...set, changetype: 'REPLACE' }))
      await change('PATCH', pathOf(domain), { rrsets: changes })
    },
    makePlain: (domain) => change('PUT', pathOf(domain), { ...plain, account }),
    patchZone: (domain, changes) => change('PATCH', pathOf(domain), { rrsets: changes }),
    async removeZone(domain) {
      await call('DELETE', pathOf(domain))
    },
    async listOwnZones() {
      const text = await call('GET', 'zones?dnssec=false')
      if (text === undefined) throw new PowerDnsFault('refused', 'HTTP 404 for the list of zones')
      return parse(ListAnswer, text)
        .filter((zone) => accounts.includes(zone.account))
        .map(({ name, serial }) => ({ domain: name.toLowerCase().replace(/\.$/, ''), serial }))
    },
    calls: () => ({ ...calls }),
  }
}

/** In its addresses PowerDNS writes `=` and two digits for what is no letter, digit, dot or hyphen. */
const pathOf = (domain: string) => `zones/${domain.replaceAll('_', '=5F')}.`

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    const where = error instanceof z.ZodError ? error.issues[0]?.path.join('.') : 'all of it'
    throw new PowerDnsFault('refused', `its answer is not as expected: ${where}`)
  }
}

/** The beginning of what it said, on one line. */
const said = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 300)

/** Of a failed fetch the cause says more: refused, no such host, too long. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

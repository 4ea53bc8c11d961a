/**
 * The one place that decides which of several servers is written to. DATABASE_URL may name several hosts, as libpq
 * writes them; pg knows only one. A connection goes to the primary that was found last; where that is gone, or has
 * become a standby, all are asked again. Of two that claim to be primary, the one on the later timeline counts: it was
 * promoted, and the other came back without knowing that.
 */
import { Client, type ClientConfig } from 'pg'
import { ClosingClient } from './no-answer.ts'

const withinMs = 3000
const whole = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/

/** One URL for each host that `url` names, in its order. */
export function urlsOf(url: string): string[] {
  const [, before = '', hosts = '', path = '', query = ''] = whole.exec(url) ?? []
  const params = new URLSearchParams(query)
  const named = params.get('host')
  const listed = named === null ? hosts.split(',') : named.split(',')
  if (listed.length < 2) return [url]
  const ports = params.get('port')?.split(',') ?? []
  return listed.map((host, index) => {
    const one = new URLSearchParams(params)
    if (named !== null) one.set('host', host)
    const port = ports[index] ?? ports[0]
    if (port !== undefined) one.set('port', port)
    const rest = one.toString()
    return `${before}${named === null ? host : hosts}${path}${rest === '' ? '' : `?${rest}`}`
  })
}

/** No host of several takes writes now. It is waited for as for a server that does not answer. */
export class NoPrimary extends Error {
  override name = 'NoPrimary'
  readonly code = '08006'
}

interface Asked {
  url: string
  /** Undefined: it is a standby, or does not answer, which `problem` says. */
  timeline: string | undefined
  problem: string
}

async function ask(url: string): Promise<Asked> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
    application_name: 'atoll looks for the primary',
  })
  client.on('error', () => undefined) // said by what is asked
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: string | null }>(
      `select case when pg_is_in_recovery() then null
        else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
    )
    return { url, timeline: rows[0]?.timeline ?? undefined, problem: 'is a standby' }
  } catch (error) {
    return { url, timeline: undefined, problem: error instanceof Error ? error.message : String(error) }
  } finally {
    await client.end()
  }
}

/** The URL of the primary among these. Throws `NoPrimary`. */
export async function findPrimary(urls: readonly string[]): Promise<string> {
  const asked = await Promise.all(urls.map(ask))
  const primaries = asked.flatMap(({ url, timeline }) => (timeline === undefined ? [] : [{ url, timeline }]))
  const latest = primaries.reduce((best, one) => (one.timeline > best.timeline ? one : best), {
    url: '',
    timeline: '',
    ...primaries[0],
  })
  if (latest.url !== '') return latest.url
  const why = asked.map(({ url, problem }) => `${hostOf(url)} ${problem}`).join('; ')
  throw new NoPrimary(`None of the hosts of DATABASE_URL takes writes: ${why}`)
}

/** Without user and password. */
function hostOf(url: string): string {
  const [, , host = '', , query = ''] = whole.exec(url) ?? []
  return new URLSearchParams(query).get('host') ?? host
}

/** By the URL with all hosts: the one that was the primary when last asked. */
const known = new Map<string, string>()

/** A client of the primary of its `connectionString`, whichever host that is when it connects. */
export class PrimaryClient extends ClosingClient {
  readonly #urls: string[]
  readonly #key: string

  constructor(config: ClientConfig = {}) {
    const urls = config.connectionString === undefined ? [] : urlsOf(config.connectionString)
    const [first] = urls
    super(first === undefined ? config : { ...config, connectionString: first })
    this.#urls = urls
    this.#key = config.connectionString ?? ''
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg has this method with a callback and with a promise
  override connect(callback?: any): any {
    const connected = this.#urls.length < 2 ? super.connect() : this.#connectToPrimary()
    if (callback === undefined) return connected
    connected.then(() => callback(null), callback)
  }

  async #connectToPrimary(): Promise<void> {
    const url = known.get(this.#key) ?? (await findPrimary(this.#urls))
    const { host, port } = new Client({ connectionString: url })
    Object.assign(this, { host, port })
    try {
      await super.connect()
      const { rows } = await super.query('select pg_is_in_recovery() as is')
      if (rows[0]?.is !== false) throw new NoPrimary(`${host} is a standby now`)
      known.set(this.#key, url)
    } catch (error) {
      known.delete(this.#key)
      await this.end()
      throw error
    }
  }
}

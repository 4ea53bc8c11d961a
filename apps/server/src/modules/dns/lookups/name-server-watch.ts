/**
 * Whether each of our name servers answers. One that is silent stops nobody and is nobody's fault but the operator's,
 * so the operator has to be told: with one of two, the next that fails takes every domain with it.
 */
import type { Log } from '../../../platform/log.ts'
import type { Ask, DnsServerAddress } from './dns-client.ts'

/** How long an answer, or silence, is believed, ms. */
const keptMs = 30_000
/** A name that is nobody's: whatever is answered to it, no such zone being here, is an answer. */
const probe = 'up.invalid'

export interface NameServerUp {
  server: string
  isUp: boolean
}

export interface NameServerWatch {
  /** Asks, unless that was done just now. */
  look(): Promise<readonly NameServerUp[]>
  /**
   * The last results, without waiting; the servers are asked again in the background. Empty before the first answer.
   */
  last(): readonly NameServerUp[]
}

/** `now`: ms of a clock that never goes back. */
export function watchNameServers(
  ask: Ask,
  servers: readonly (DnsServerAddress & { host: string })[],
  log: Log,
  now: () => number = () => performance.now(),
): NameServerWatch {
  let seen: { at: number; servers: readonly NameServerUp[] } | undefined
  let looking: Promise<readonly NameServerUp[]> | undefined

  async function askAll(): Promise<readonly NameServerUp[]> {
    const up = await Promise.all(
      servers.map(async (server) => {
        const reply = await ask(server, { name: probe, type: 'SOA' }, { recursive: false })
        return { server: server.host, isUp: reply !== undefined }
      }),
    )
    for (const { server, isUp } of up) {
      const before = seen?.servers.find((one) => one.server === server)?.isUp ?? true
      if (isUp !== before) log.warn({ server }, isUp ? 'a name server answers again' : 'a name server is silent')
    }
    seen = { at: now(), servers: up }
    return up
  }

  async function look(): Promise<readonly NameServerUp[]> {
    if (seen && now() - seen.at < keptMs) return seen.servers
    looking ??= askAll().finally(() => {
      looking = undefined
    })
    return await looking
  }

  return {
    look,
    last() {
      look().catch((error: unknown) => log.warn({ err: error }, 'the name servers could not be asked'))
      return seen?.servers ?? []
    },
  }
}

/** The silent servers, in words; undefined: all answer. */
export function describeSilent(servers: readonly NameServerUp[]): string | undefined {
  const silent = servers.filter(({ isUp }) => !isUp).map(({ server }) => server)
  if (silent.length === 0) return undefined
  const rest = silent.length === servers.length ? 'no customer domain is found' : 'the others answer for all domains'
  return `${silent.join(', ')} ${silent.length === 1 ? 'does' : 'do'} not answer: ${rest}`
}

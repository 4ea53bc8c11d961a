/**
 * Checks whether a PowerDNS has newer zones than this database. Each is asked independently, after each start and
 * before anything is written to it: one that is away must not keep the zones of another from being published.
 */
import { type Asked, findDoubt, findHold, noteEvidence } from '../../../platform/careful/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import { checkSources, type SourceCheck } from '../../../platform/sources/index.ts'
import { findPublished, skipSerials } from './copy-store.ts'
import { type PowerDns, PowerDnsFault } from './powerdns-client.ts'

interface Asking {
  db: Db
  clock: Clock
  servers: readonly PowerDns[]
}

export const sourceOf = ({ server }: PowerDns): Asked => `zones ${server}`

export function sourcesOf({ db, servers }: Pick<Asking, 'db' | 'servers'>): SourceCheck[] {
  return servers.map((powerDns) => ({
    source: sourceOf(powerDns),
    ask: (now) => compareSerials(db, powerDns, now),
  }))
}

/**
 * Asks those that have not answered since the start; it need not wait for the next minute, as what does not answer is
 * left alone for a while by its client. Gives those that still have not, with the reason; undefined: nothing may be
 * written to any of them.
 */
export async function askOutstanding(
  { db, clock, servers }: Asking,
  log: Log,
): Promise<ReadonlyMap<string, string> | undefined> {
  await checkSources({ db, clock, log, checks: sourcesOf({ db, servers }) })
  // One of them may just have been found to be newer.
  if (await findHold(db, { waits: 'careful' })) return undefined
  const unasked = new Map<string, string>()
  for (const powerDns of servers) {
    const doubt = await findDoubt(db, sourceOf(powerDns))
    if (doubt) unasked.set(powerDns.server, doubt.why)
  }
  return unasked
}

export async function listOwn(powerDns: PowerDns) {
  try {
    return { zones: await powerDns.listOwnZones() }
  } catch (error) {
    if (error instanceof PowerDnsFault) return { fault: error }
    throw error
  }
}

/**
 * Whether it has one of our zones with a later serial than this database ever gave: then the database is older than the
 * zones that are served. Returns the reason where the server does not answer.
 */
async function compareSerials(db: Db, powerDns: PowerDns, now: Date): Promise<string | undefined> {
  const own = await listOwn(powerDns)
  if ('fault' in own) return `it does not say which zones it has: ${own.fault.message}`
  const newest = own.zones.toSorted((a, b) => b.serial - a.serial)[0]
  const published = await findPublished(db, powerDns.server)
  if (!newest || newest.serial <= published) return undefined
  const detail = `${powerDns.server} has ${newest.domain} with serial ${newest.serial}, the newest from here is ${published}`
  await noteEvidence(db, { about: 'zones', object: `${powerDns.server} ${newest.serial}`, detail, now })
  await skipSerials(db, newest.serial)
  return undefined
}

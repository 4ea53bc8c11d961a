/** The zone that a name belongs to, and the name servers of that zone. */
import type { Answer } from 'dns-packet'
import { mayBeAsked } from './asked-addresses.ts'
import type { Ask, AskedQuestion, Reply, Resolver } from './dns-client.ts'
import { hasFailed, isAnswer, isWithin, lower } from './read-reply.ts'

export interface ZoneServers {
  zone: string
  servers: { name: string; address: string }[]
}

/** Labels above a name that are tried, and servers of a zone that are asked. */
const mostSteps = 12
const mostServers = 13

/**
 * The first answer of a resolver. One that calls it bogus is asked again not to judge, so that a lookup can say more
 * than that.
 */
export async function resolve(
  ask: Ask,
  resolvers: readonly Resolver[],
  question: AskedQuestion,
): Promise<Reply | undefined> {
  for (const resolver of resolvers) {
    const reply = await ask(resolver, question, { recursive: true })
    const usable = hasFailed(reply) ? await ask(resolver, question, { recursive: true, unchecked: true }) : reply
    if (isAnswer(usable)) return usable
  }
  return undefined
}

/** The servers of the zone that holds what stands beside or above `name`; undefined when nobody knows. */
export async function findServers(
  ask: Ask,
  resolvers: readonly Resolver[],
  name: string,
): Promise<ZoneServers | undefined> {
  const zone = await findZone(ask, resolvers, name)
  if (zone === undefined) return undefined
  const answered = await resolve(ask, resolvers, { name: zone || '.', type: 'NS' })
  const names = namesOf(answered?.answers ?? [], zone).slice(0, mostServers)
  const servers = await Promise.all(
    names.map(async (host) => ({ name: host, address: await findAddress(ask, resolvers, host) })),
  )
  const known = servers.flatMap(({ name: host, address }) => (address === undefined ? [] : [{ name: host, address }]))
  return { zone, servers: known.filter(({ address }) => mayBeAsked(address, resolvers)) }
}

/** The zone of the name above, asked for by SOA, upwards; '' is the root. */
async function findZone(ask: Ask, resolvers: readonly Resolver[], name: string): Promise<string | undefined> {
  let above = name
  for (let step = 0; step < mostSteps && above.includes('.'); step += 1) {
    above = above.slice(above.indexOf('.') + 1)
    const reply = await resolve(ask, resolvers, { name: above, type: 'SOA' })
    // No resolver answers for this one: none will for those above it.
    if (!reply) return undefined
    const found = [...(reply.answers ?? []), ...(reply.authorities ?? [])].find(
      (record) => record.type === 'SOA' && isWithin(above, lower(record.name)),
    )
    if (found) return lower(found.name)
  }
  return undefined
}

function namesOf(answers: readonly Answer[], zone: string): string[] {
  const own = answers.filter((record) => record.type === 'NS' && lower(record.name) === zone)
  return [...new Set(own.map((record) => (record.type === 'NS' ? lower(record.data) : '')))].toSorted()
}

/** One of IPv4 if there is: not every machine reaches IPv6, and a server is asked once. */
async function findAddress(ask: Ask, resolvers: readonly Resolver[], name: string): Promise<string | undefined> {
  for (const type of ['A', 'AAAA'] as const) {
    const reply = await resolve(ask, resolvers, { name, type })
    const record = reply?.answers?.find((answer) => answer.type === type)
    if (record?.type === type) return record.data
  }
  return undefined
}

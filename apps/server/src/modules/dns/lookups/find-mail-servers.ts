import type { Ask, Resolver } from './dns-client.ts'
import { resolve } from './find-servers.ts'
import { lower } from './read-reply.ts'

/** The mail servers of `domain`, host names in lower case; empty: it has none. Undefined: no resolver answered. */
export async function findMailServers(
  ask: Ask,
  resolvers: readonly Resolver[],
  domain: string,
): Promise<string[] | undefined> {
  const reply = await resolve(ask, resolvers, { name: domain, type: 'MX' })
  return reply?.answers?.flatMap((record) => (record.type === 'MX' ? [lower(record.data.exchange)] : []))
}

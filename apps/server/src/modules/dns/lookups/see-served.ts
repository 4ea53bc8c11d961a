import type { Ask, DnsServerAddress } from './dns-client.ts'
import { lower } from './read-reply.ts'

/** `answered`: false where the name server is silent, which is nobody's fault but the operator's. */
export interface SeenServer {
  server: string
  isServed: boolean
  answered: boolean
}

/** All of those that answer have the zone, and at least one does: one that is silent stops nobody. */
export function isServedBy(servers: readonly SeenServer[]): boolean {
  return servers.some(({ answered }) => answered) && servers.every(({ answered, isServed }) => isServed || !answered)
}

/** For each of these name servers whether it answers for the zone of `domain`, in this version or a later one. */
export async function seeServed(
  ask: Ask,
  nameServers: readonly (DnsServerAddress & { host: string })[],
  { domain, version }: { domain: string; version: number },
): Promise<SeenServer[]> {
  return await Promise.all(
    nameServers.map(async (server) => {
      const reply = await ask(server, { name: domain, type: 'SOA' }, { recursive: false })
      const soa = reply?.answers?.find((record) => record.type === 'SOA' && lower(record.name) === domain)
      const serial = soa?.type === 'SOA' && reply?.flag_aa ? (soa.data.serial ?? 0) : 0
      return { server: server.host, isServed: serial >= version, answered: reply !== undefined }
    }),
  )
}

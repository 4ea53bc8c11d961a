import type { Ask, DnsServerAddress } from './dns-client.ts'
import { lower } from './read-reply.ts'

/** For each of these name servers whether it answers for the zone of `domain`, in this version or a later one. */
export async function seeServed(
  ask: Ask,
  nameServers: readonly (DnsServerAddress & { host: string })[],
  { domain, version }: { domain: string; version: number },
): Promise<{ server: string; isServed: boolean }[]> {
  return await Promise.all(
    nameServers.map(async (server) => {
      const reply = await ask(server, { name: domain, type: 'SOA' }, { recursive: false })
      const soa = reply?.answers?.find((record) => record.type === 'SOA' && lower(record.name) === domain)
      const serial = soa?.type === 'SOA' && reply?.flag_aa ? (soa.data.serial ?? 0) : 0
      return { server: server.host, isServed: serial >= version }
    }),
  )
}

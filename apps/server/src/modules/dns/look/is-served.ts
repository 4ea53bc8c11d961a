import type { Ask, DnsServerAddress } from './dns-client.ts'
import { lower } from './read-reply.ts'

/** Whether each of these name servers answers for the zone of `domain`, in this version or a later one. */
export async function isServed(
  ask: Ask,
  nameServers: readonly DnsServerAddress[],
  { domain, version }: { domain: string; version: number },
): Promise<boolean> {
  const serials = await Promise.all(
    nameServers.map(async (server) => {
      const reply = await ask(server, { name: domain, type: 'SOA' }, { recursive: false })
      const soa = reply?.answers?.find((record) => record.type === 'SOA' && lower(record.name) === domain)
      return soa?.type === 'SOA' && reply?.flag_aa ? (soa.data.serial ?? 0) : 0
    }),
  )
  return serials.every((serial) => serial >= version)
}

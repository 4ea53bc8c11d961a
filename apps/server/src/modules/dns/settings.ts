/** Settings of the name servers that customers' domains are delegated to. */
import { isIP, isIPv4 } from 'node:net'
import { z } from 'zod'
import { ConfigError } from '../../platform/settings/read-settings.ts'
import { Count, HttpUrl, List, Port, secret, setting, type ValuesOf } from '../../platform/settings/setting.ts'
import { DnsName } from './zones/zone.ts'

/** `192.0.2.1` or, with another port than that of DNS, `192.0.2.1@5353`. */
function readAddress(text: string): { address: string; port: number } | undefined {
  const [address = '', port = '53', ...rest] = text.split('@')
  const number = Port.safeParse(port)
  return rest.length === 0 && isIP(address) !== 0 && number.success ? { address, port: number.data } : undefined
}

const Resolver = z.string().transform((text, ctx) => {
  const [name = '', server = '', ...rest] = text.split('=').map((part) => part.trim())
  const at = readAddress(server)
  if (rest.length === 0 && name.length > 0 && name.length <= 40 && at) return { name, ...at }
  ctx.addIssue({ code: 'custom', message: `"${text}" must be a name and an address, such as Quad9=9.9.9.9` })
  return z.NEVER
})
const NameServer = z.string().transform((text, ctx) => {
  const [host = '', server = '', ...rest] = text.split('=').map((part) => part.trim())
  const at = readAddress(server)
  if (rest.length === 0 && DnsName.safeParse(host).success && at) return { host, ...at }
  ctx.addIssue({
    code: 'custom',
    message: `"${text}" must be a host name and its address, such as ns1.example=192.0.2.1`,
  })
  return z.NEVER
})
const EdgeAddress = z
  .string()
  .refine((text) => isIP(text) !== 0 || DnsName.safeParse(text).success, 'each must be an address or one host name')

export const dnsSettings = {
  ATOLL_DNS_PORT: setting(
    Port,
    '4805',
    "Port, UDP and TCP, of the name server for customers' domains; resolvers ask port 53.",
  ),
  ATOLL_NAME_SERVERS: setting(
    List.pipe(z.array(NameServer).max(13)).optional(),
    undefined,
    "Name servers of customers' domains, such as ns1.example=192.0.2.1,ns2.example=192.0.2.2, each a process with the role dns.",
    'none; domains can be used by CNAME only, and the role dns does nothing',
  ),
  ATOLL_CHALLENGE_ZONE: setting(
    DnsName.optional(),
    undefined,
    'Zone of yours, delegated to ATOLL_NAME_SERVERS and used for nothing else, to which owners of domains that are used by CNAME may point _acme-challenge.',
    'none; such domains get a certificate for each host',
  ),
  ATOLL_EDGE_ADDRESSES: setting(
    List.pipe(z.array(EdgeAddress).max(16)).optional(),
    undefined,
    "Where customers' hosts lead: the public addresses of the edge, separated by commas, or its host name alone.",
    'ATOLL_EDGE_DOMAIN',
  ),
  ATOLL_RESOLVERS: setting(
    List.pipe(z.array(Resolver).min(1).max(8)),
    'Cloudflare=1.1.1.1,Google=8.8.8.8,Quad9=9.9.9.9',
    "Resolvers that customers' domains are checked with, by the names that customers read.",
  ),
  ATOLL_ZONES: setting(
    z.enum(['embedded', 'powerdns']),
    'embedded',
    "Name server of customers' domains: embedded (the role dns), or powerdns, servers of your own that workers update.",
  ),
  ATOLL_POWERDNS_URL: setting(
    List.pipe(z.array(HttpUrl).min(1).max(13)).optional(),
    undefined,
    'Addresses of the API of each PowerDNS, such as http://192.0.2.1:8081,http://192.0.2.2:8081; for ATOLL_ZONES=powerdns.',
    'none',
  ),
  ATOLL_POWERDNS_KEY: secret(
    z
      .string()
      .regex(/^[!-~]{1,200}$/, 'must be of at most 200 letters, digits and signs')
      .optional(),
    'The api-key of each PowerDNS.',
    'none',
  ),
  ATOLL_DNS_RATE: setting(
    Count(0, 1_000_000),
    '20',
    'Equal answers a second over UDP to one network (/24, IPv6 /56) before it is told to ask over TCP; 0: no limit.',
  ),
}

export function dnsConfig(values: ValuesOf<typeof dnsSettings>, { edgeDomain }: { edgeDomain: string }) {
  const given = values.ATOLL_EDGE_ADDRESSES ?? []
  const host = given.find((text) => isIP(text) === 0)
  if (host !== undefined && given.length > 1)
    throw new ConfigError(`ATOLL_EDGE_ADDRESSES: ${host} is a host name and must stand alone`)
  return {
    dnsPort: values.ATOLL_DNS_PORT,
    /** Empty: nobody can delegate a domain to this deployment. */
    nameServers: values.ATOLL_NAME_SERVERS ?? [],
    challengeZone: values.ATOLL_CHALLENGE_ZONE,
    /** Where customers' hosts lead: addresses, or a host name when there are none. */
    edgeAddresses: {
      ipv4: given.filter((text) => isIPv4(text)),
      ipv6: given.filter((text) => isIP(text) === 6),
      host: host ?? edgeDomain,
    },
    resolvers: values.ATOLL_RESOLVERS,
    /** Undefined: the role dns answers. */
    powerDns: values.ATOLL_ZONES === 'powerdns' ? powerDnsConfig(values) : undefined,
    dnsRate: values.ATOLL_DNS_RATE,
  }
}

function powerDnsConfig({ ATOLL_POWERDNS_URL: urls, ATOLL_POWERDNS_KEY: key }: ValuesOf<typeof dnsSettings>) {
  if (urls === undefined) throw new ConfigError('ATOLL_POWERDNS_URL: is missing; ATOLL_ZONES is powerdns')
  if (key === undefined) throw new ConfigError('ATOLL_POWERDNS_KEY: is missing; ATOLL_ZONES is powerdns')
  return { urls: [...new Set(urls)], key }
}

/** DNS providers that are known by their name servers: what to know when adding a record there. Pure. */
import type { DomainDetail, DomainRecord } from '@atoll/contract/domains'

export type Trap = 'doubles' | 'finalDot' | 'line' | 'parked' | 'proxy' | 'quotes'

export type ProviderKey =
  | 'alibaba'
  | 'cloudflare'
  | 'dnspod'
  | 'gandi'
  | 'goDaddy'
  | 'hostinger'
  | 'ionos'
  | 'namecheap'
  | 'ovh'
  | 'porkbun'
  | 'route53'
  | 'squarespace'

export interface DnsProvider {
  /** Of its name in the texts. */
  key: ProviderKey
  /** Of its name servers, in lower case. */
  servers: RegExp
  /** The names that its name field takes. */
  takes: 'host' | 'either'
  trap: Trap
  help: string
}

/** Types of records that a trap concerns; not listed: all. */
const concerned: Partial<Record<Trap, readonly DomainRecord['type'][]>> = {
  finalDot: ['CNAME', 'NS'],
  parked: ['CNAME', 'NS'],
  proxy: ['CNAME'],
  quotes: ['TXT'],
}

const providers: readonly DnsProvider[] = [
  {
    key: 'cloudflare',
    servers: /\.ns\.cloudflare\.com$/,
    takes: 'either',
    trap: 'proxy',
    help: 'https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/',
  },
  {
    key: 'goDaddy',
    servers: /\.domaincontrol\.com$/,
    takes: 'host',
    trap: 'doubles',
    help: 'https://www.godaddy.com/help/manage-dns-records-680',
  },
  {
    key: 'namecheap',
    servers: /\.(registrar-servers|namecheaphosting)\.com$/,
    takes: 'host',
    trap: 'doubles',
    help: 'https://www.namecheap.com/support/knowledgebase/',
  },
  {
    key: 'squarespace',
    servers: /\.(squarespacedns|googledomains)\.com$/,
    takes: 'host',
    trap: 'doubles',
    help: 'https://support.squarespace.com/',
  },
  {
    key: 'ionos',
    servers: /\.ui-dns\.(biz|com|de|org)$/,
    takes: 'host',
    trap: 'doubles',
    help: 'https://www.ionos.com/help/domains/',
  },
  {
    key: 'ovh',
    servers: /\.(ovh\.net|ovh\.ca|anycast\.me)$/,
    takes: 'host',
    trap: 'finalDot',
    help: 'https://help.ovhcloud.com/',
  },
  {
    key: 'gandi',
    servers: /\.gandi\.net$/,
    takes: 'host',
    trap: 'finalDot',
    help: 'https://docs.gandi.net/en/domain_names/common_operations/dns_records.html',
  },
  {
    key: 'hostinger',
    servers: /\.(dns-parking|hostinger)\.com$/,
    takes: 'host',
    trap: 'doubles',
    help: 'https://support.hostinger.com/',
  },
  {
    key: 'porkbun',
    servers: /\.porkbun\.com$/,
    takes: 'host',
    trap: 'parked',
    help: 'https://kb.porkbun.com/',
  },
  {
    key: 'route53',
    servers: /\.awsdns-\d+\.(com|net|org|co\.uk)$/,
    takes: 'host',
    trap: 'quotes',
    help: 'https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-creating.html',
  },
  {
    key: 'alibaba',
    servers: /\.(hichina|alidns|aliyun)\.com$/,
    takes: 'host',
    trap: 'line',
    help: 'https://help.aliyun.com/zh/dns/pubz-add-parsing-record',
  },
  {
    key: 'dnspod',
    servers: /\.(dnspod\.(net|com)|dnsv\d?\.com)$/,
    takes: 'host',
    trap: 'line',
    help: 'https://docs.dnspod.cn/dns/',
  },
]

/** The provider whose name servers the last look at DNS asked about `record`; undefined: none that is known. */
export function providerOf({ look }: Pick<DomainDetail, 'look'>, record: Pick<DomainRecord, 'name'>) {
  const asked = look.verdicts.filter(({ side, name, server }) => side === 'parent' && name === record.name && server)
  // Two providers may serve one zone: then neither is the one where it is edited.
  const [found, ...others] = new Set(asked.map(({ server }) => providers.find(({ servers }) => servers.test(server))))
  return others.length === 0 ? found : undefined
}

export function trapOf({ trap }: DnsProvider, type: DomainRecord['type']): Trap | undefined {
  return concerned[trap] === undefined || concerned[trap].includes(type) ? trap : undefined
}

/** The zone that a record is written in, as far as it is known. */
export function zoneOf(
  { look, domain, isApex }: Pick<DomainDetail, 'look' | 'domain' | 'isApex'>,
  { type, name }: Pick<DomainRecord, 'type' | 'name'>,
): string {
  // Name servers of an apex are set at the registrar, for the domain itself.
  if (isApex && type === 'NS') return domain
  const seen = look.verdicts.find((one) => one.side === 'parent' && one.name === name && one.zone)?.zone
  return seen ?? (isApex ? domain : domain.slice(domain.indexOf('.') + 1))
}

/** The part of a name that goes into a name field which adds the zone. */
export function hostPart(name: string, zone: string): string {
  if (name === zone) return '@'
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

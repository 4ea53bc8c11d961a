import type { DomainVerdict } from '@atoll/contract/domains'
import { expect, it } from 'vitest'
import { hostPart, providerOf, trapOf, zoneOf } from './dns-providers.ts'

const name = 'cloud.lagoon.example'
const asked = (servers: readonly string[], zone?: string) => ({
  domain: name,
  isApex: false,
  look: {
    passed: false,
    checkedAt: null,
    nextAt: null,
    until: null,
    verdicts: servers.map(
      (server): DomainVerdict => ({ kind: 'missing', side: 'parent', server, name, type: 'NS', ...(zone && { zone }) }),
    ),
  },
})

it.each([
  [['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'], 'cloudflare'],
  [['ns01.domaincontrol.com'], 'goDaddy'],
  [['dns1.registrar-servers.com'], 'namecheap'],
  [['ns-cloud-a1.googledomains.com'], 'squarespace'],
  [['ns1045.ui-dns.biz', 'ns1045.ui-dns.de'], 'ionos'],
  [['dns10.ovh.net', 'ns10.ovh.net'], 'ovh'],
  [['ns-12-a.gandi.net'], 'gandi'],
  [['ns1.dns-parking.com'], 'hostinger'],
  [['maceio.ns.porkbun.com'], 'porkbun'],
  [['ns-2048.awsdns-64.com', 'ns-2051.awsdns-67.co.uk'], 'route53'],
  [['dns9.hichina.com'], 'alibaba'],
  [['f1g1ns1.dnspod.net'], 'dnspod'],
  [['ns1.registrar.example'], undefined],
  [['ada.ns.cloudflare.com', 'ns01.domaincontrol.com'], undefined],
  [['cloudflare.com.registrar.example'], undefined],
  [[], undefined],
])('the provider of the name servers %j is known, or is not', (servers, provider) => {
  expect(providerOf(asked(servers), { name })?.key).toBe(provider)
})

it('warns only of what concerns the type of the record', () => {
  const provider = providerOf(asked(['ada.ns.cloudflare.com']), { name })
  expect(provider && [trapOf(provider, 'CNAME'), trapOf(provider, 'TXT')]).toEqual(['proxy', undefined])
})

it('takes the zone that was seen, else the one that is likely', () => {
  expect(zoneOf(asked(['ns.example'], 'lagoon.example'), { type: 'NS', name })).toBe('lagoon.example')
  expect(zoneOf({ ...asked([]), domain: 'a.b.lagoon.example' }, { type: 'TXT', name })).toBe('b.lagoon.example')
  const apex = { ...asked([]), domain: 'lagoon.example', isApex: true }
  expect(zoneOf(apex, { type: 'NS', name: 'lagoon.example' })).toBe('lagoon.example')
})

it.each([
  [name, 'lagoon.example', 'cloud'],
  ['*.cloud.lagoon.example', 'lagoon.example', '*.cloud'],
  ['lagoon.example', 'lagoon.example', '@'],
  ['lagoon.example', 'other.example', 'lagoon.example'],
])('of %s in %s the host part is %s', (full, zone, host) => expect(hostPart(full, zone)).toBe(host))

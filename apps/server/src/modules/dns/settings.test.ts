import { expect, it } from 'vitest'
import { readSettings } from '../../platform/settings/read-settings.ts'
import { dnsConfig, dnsSettings } from './settings.ts'

const read = (env: Record<string, string>) =>
  dnsConfig(readSettings(dnsSettings, env, '/'), { edgeDomain: 'edge.example' })

it('are off by default, and hosts lead to the edge by name', () => {
  expect(read({})).toMatchObject({
    nameServers: [],
    edgeAddresses: { ipv4: [], ipv6: [], host: 'edge.example' },
    dnsRate: 20,
    resolvers: [{ name: 'Cloudflare', address: '1.1.1.1', port: 53 }, { name: 'Google' }, { name: 'Quad9' }],
  })
})

it('name servers, addresses and resolvers', () => {
  expect(
    read({
      ATOLL_NAME_SERVERS: 'ns1.x.example=192.0.2.1, ns2.x.example=2001:db8::1@5353',
      ATOLL_EDGE_ADDRESSES: '192.0.2.7,2001:db8::7',
      ATOLL_RESOLVERS: 'Ours=127.0.0.1@5300',
    }),
  ).toMatchObject({
    nameServers: [
      { host: 'ns1.x.example', address: '192.0.2.1', port: 53 },
      { host: 'ns2.x.example', address: '2001:db8::1', port: 5353 },
    ],
    edgeAddresses: { ipv4: ['192.0.2.7'], ipv6: ['2001:db8::7'] },
    resolvers: [{ name: 'Ours', address: '127.0.0.1', port: 5300 }],
  })
})

it.each([
  ['ATOLL_NAME_SERVERS', 'ns1.x.example'],
  ['ATOLL_NAME_SERVERS', 'NS1=192.0.2.1'],
  ['ATOLL_NAME_SERVERS', 'ns1=192.0.2.1@0'],
  ['ATOLL_EDGE_ADDRESSES', '192.0.2.7,edge.example'],
  ['ATOLL_EDGE_ADDRESSES', 'http://edge.example'],
  ['ATOLL_RESOLVERS', '1.1.1.1'],
  ['ATOLL_ZONES', 'bind'],
  ['ATOLL_DNS_RATE', '-1'],
  ['ATOLL_DNS_PORT', '0'],
])('%s=%s is refused by its name', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(name)
})

it('PowerDNS is asked at each of its addresses, with a key', () => {
  const given = {
    ATOLL_ZONES: 'powerdns',
    ATOLL_POWERDNS_URL: 'http://192.0.2.1:8081/, https://ns2.example/pdns',
    ATOLL_POWERDNS_KEY: 'the-key',
  }
  expect(read(given)).toMatchObject({
    powerDns: { urls: ['http://192.0.2.1:8081', 'https://ns2.example/pdns'], key: 'the-key' },
  })
  for (const name of ['ATOLL_POWERDNS_URL', 'ATOLL_POWERDNS_KEY'])
    expect(() => read({ ...given, [name]: '' })).toThrow(name)
  expect(() => read({ ...given, ATOLL_POWERDNS_URL: 'ns1.example:8081' })).toThrow('ATOLL_POWERDNS_URL')
  expect(read({ ...given, ATOLL_ZONES: 'embedded' }).powerDns).toBeUndefined()
})

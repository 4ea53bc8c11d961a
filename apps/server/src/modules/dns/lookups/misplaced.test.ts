import { expect, it } from 'vitest'
import type { WantedRecord } from './judge.ts'
import { hasWanted, isProxy, misplacements } from './misplaced.ts'

const zone = 'lagoon.example'
const servers = ['ns1.host.example', 'ns2.host.example']
const text: WantedRecord = { type: 'TXT', name: '_atoll-1.cloud.lagoon.example', value: 'v' }
const alias: WantedRecord = { type: 'CNAME', name: '*.cloud.lagoon.example', target: 'edge.host.example' }
const delegation: WantedRecord = { type: 'NS', name: 'cloud.lagoon.example', servers }

it.each<[string, WantedRecord, string[]]>([
  [
    'a text',
    text,
    [
      'nameDoubled _atoll-1.cloud.lagoon.example.lagoon.example',
      'noUnderscore atoll-1.cloud.lagoon.example',
      'wrongPlace cloud.lagoon.example',
      'wrongPlace lagoon.example',
    ],
  ],
  ['an alias', alias, ['nameDoubled *.cloud.lagoon.example.lagoon.example', 'wrongPlace cloud.lagoon.example']],
  ['name servers', delegation, ['nameDoubled cloud.lagoon.example.lagoon.example', 'wrongPlace lagoon.example']],
])('%s may stand at', (_, wanted, expected) => {
  expect(misplacements(wanted, zone).map(({ at, kind }) => `${kind} ${at}`)).toEqual(expected)
})

it('is the record where the value is its own', () => {
  expect([hasWanted(text, ['other', '"v"']), hasWanted(text, ['w'])]).toEqual([true, false])
  expect([hasWanted(alias, ['edge.host.example']), hasWanted(alias, ['www.example'])]).toEqual([true, false])
  expect([hasWanted(delegation, ['ns0.example', servers[1] ?? '']), hasWanted(delegation, ['ns0.example'])]).toEqual([
    true,
    false,
  ])
})

it('is proxied at a provider that is a proxy, and an address of the owner elsewhere', () => {
  expect(['ada.ns.cloudflare.com', 'ns1.lagoon.example', 'ns.cloudflare.com.example'].map(isProxy)).toEqual([
    true,
    false,
    false,
  ])
})

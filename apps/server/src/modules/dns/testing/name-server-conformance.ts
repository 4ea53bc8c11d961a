/**
 * The answers that every kind of name server must give for the zones in the database, at each of two addresses; `dig`
 * judges.
 */
import { dig, until } from '@atoll/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../../platform/db/index.ts'
import type { Dns } from '../index.ts'
import type { ZoneInput } from '../zones/zone.ts'

export interface ServedZones {
  /** Of two name servers on 127.0.0.1. */
  ports: readonly [number, number]
  db: Db
  zones: Pick<Dns, 'setZone' | 'removeZone'>
}

export const nameServers = ['ns1.host.example', 'ns2.host.example']

export function setZoneAt({ db, zones }: ServedZones, zone: Omit<ZoneInput, 'nameServers'>) {
  return db.transaction().execute((trx) => zones.setZone(trx, { nameServers, ...zone }))
}

export function removeZoneAt({ db, zones }: ServedZones, domain: string): Promise<void> {
  return db.transaction().execute((trx) => zones.removeZone(trx, { domain }))
}

export const askAt = (port: number, ...args: string[]) => dig('@127.0.0.1', '-p', String(port), '+norec', ...args)

/** The answer's records as `dig` writes them, with one blank between the fields. */
export async function shortAt(port: number, ...args: string[]): Promise<string[]> {
  const said = await askAt(port, '+noall', '+answer', ...args)
  return said
    .trim()
    .replaceAll(/[ \t]+/g, ' ')
    .split('\n')
    .filter(Boolean)
    .toSorted()
}

/** Resolves when each of `ports` answers exactly this. */
export async function untilAnswered(
  ports: readonly number[],
  question: readonly string[],
  expected: readonly string[],
): Promise<void> {
  for (const port of ports)
    await until(
      `${question.join(' ')} at ${port} is ${expected.join(', ')}`,
      async () => (await shortAt(port, ...question)).join('\n') === expected.join('\n'),
      { onTimeout: () => askAt(port, ...question) },
    )
}

/** `served` is asked when tests run. */
export function nameServerConformance(served: () => ServedZones): void {
  const domain = 'lagoon.example'
  let version: number
  beforeAll(async () => {
    ;({ version } = await setZoneAt(served(), {
      domain,
      records: [
        { name: domain, type: 'CAA', value: '0 issue "ca.example"' },
        { name: domain, type: 'MX', value: '10 mail.other.example' },
        { name: domain, type: 'MX', value: '20 mail.lagoon.example' },
        { name: `none.mail.${domain}`, type: 'MX', value: '0 .' },
        { name: `key._domainkey.${domain}`, type: 'TXT', value: `v=DKIM1; p=${'k'.repeat(300)}` },
        { name: `lena.${domain}`, type: 'A', value: '192.0.2.10' },
        { name: `lena.${domain}`, type: 'AAAA', value: '2001:db8::10' },
        { name: `*.lena.${domain}`, type: 'A', value: '192.0.2.10' },
        { name: `deep.down.${domain}`, type: 'TXT', value: 'with "quotes" and \\' },
        { name: `alias.${domain}`, type: 'CNAME', value: `lena.${domain}` },
        ...Array.from({ length: 100 }, (_, index) => ({
          name: `many.${domain}`,
          type: 'A' as const,
          value: `192.0.2.${index}`,
        })),
      ],
    }))
    await untilAnswered(served().ports, [domain, 'CAA'], [`${domain}. 60 IN CAA 0 issue "ca.example"`])
  })

  describe('records', () => {
    it.each<[question: string, answer: string[]]>([
      [
        'lagoon.example NS',
        ['lagoon.example. 3600 IN NS ns1.host.example.', 'lagoon.example. 3600 IN NS ns2.host.example.'],
      ],
      ['lena.lagoon.example A', ['lena.lagoon.example. 60 IN A 192.0.2.10']],
      [
        'lagoon.example MX',
        ['lagoon.example. 60 IN MX 10 mail.other.example.', 'lagoon.example. 60 IN MX 20 mail.lagoon.example.'],
      ],
      ['none.mail.lagoon.example MX', ['none.mail.lagoon.example. 60 IN MX 0 .']],
      [
        'key._domainkey.lagoon.example TXT',
        [`key._domainkey.lagoon.example. 60 IN TXT "v=DKIM1; p=${'k'.repeat(244)}" "${'k'.repeat(56)}"`],
      ],
      ['LENA.Lagoon.example AAAA', ['LENA.Lagoon.example. 60 IN AAAA 2001:db8::10']],
      ['any.thing.lena.lagoon.example A', ['any.thing.lena.lagoon.example. 60 IN A 192.0.2.10']],
      ['deep.down.lagoon.example TXT', [String.raw`deep.down.lagoon.example. 60 IN TXT "with \"quotes\" and \\"`]],
      [
        'alias.lagoon.example A',
        ['alias.lagoon.example. 60 IN CNAME lena.lagoon.example.', 'lena.lagoon.example. 60 IN A 192.0.2.10'],
      ],
    ])('of the question %s are answered over UDP and TCP', async (question, answer) => {
      for (const port of served().ports) {
        expect(await shortAt(port, ...question.split(' '))).toEqual(answer)
        expect(await shortAt(port, '+tcp', ...question.split(' '))).toEqual(answer)
      }
    })
  })

  describe('answers', () => {
    it.each([
      [
        'lagoon.example SOA',
        /status: NOERROR.*flags: qr aa;.*ANSWER: 1,.*SOA\sns1\.host\.example\. hostmaster\.host\.example\. VERSION 7200 900 1209600 60/s,
      ],
      ['none.lagoon.example A', /status: NXDOMAIN.*flags: qr aa;.*ANSWER: 0,.*lagoon\.example\.\s+60\sIN\sSOA/s],
      ['down.lagoon.example A', /status: NOERROR.*flags: qr aa;.*ANSWER: 0,.*lagoon\.example\.\s+60\sIN\sSOA/s],
      ['lena.lagoon.example TXT', /status: NOERROR.*flags: qr aa;.*ANSWER: 0,.*IN\sSOA/s],
      ['other.example A', /status: REFUSED.*flags: qr;/s],
      ['lagoon.example AXFR +notcp', /status: (REFUSED|FORMERR|NOTIMP)|Transfer failed/],
      ['lagoon.example AXFR', /status: REFUSED|Transfer failed/],
      ['lagoon.example SOA +edns=1 +noednsneg', /status: BADVERS/],
      ['many.lagoon.example A +noedns +ignore', /flags: qr aa tc;/],
      ['many.lagoon.example A +bufsize=4096 +ignore', /flags: qr aa tc;/],
      ['many.lagoon.example A', /Truncated, retrying in TCP.*ANSWER: 100/s],
    ])('to the question %s are those of a name server', async (question, expected) => {
      const pattern = new RegExp(expected.source.replace('VERSION', String(version)), expected.flags)
      for (const port of served().ports) expect(await askAt(port, ...question.split(' '))).toMatch(pattern)
    })
  })

  it('every version of a zone is seen at both, and a removed one is nobody’s', async () => {
    const { ports } = served()
    const zone = 'atoll.example'
    const records = [{ name: `lena.${zone}`, type: 'A' as const, value: '192.0.2.1' }]
    const first = await setZoneAt(served(), { domain: zone, records })
    await untilAnswered(ports, [`lena.${zone}`, 'A'], [`lena.${zone}. 60 IN A 192.0.2.1`])
    expect(await setZoneAt(served(), { domain: zone, records: records.toReversed() })).toEqual(first)
    const second = await setZoneAt(served(), { domain: zone, records: [] })
    expect(second.version).toBeGreaterThan(first.version)
    await untilAnswered(ports, [`lena.${zone}`, 'A'], [])
    await removeZoneAt(served(), zone)
    for (const port of ports) await until('refused', async () => /REFUSED/.test(await askAt(port, zone, 'SOA')))
    const third = await setZoneAt(served(), { domain: zone, records })
    expect(third.version).toBeGreaterThan(second.version)
    await untilAnswered(ports, [`lena.${zone}`, 'A'], [`lena.${zone}. 60 IN A 192.0.2.1`])
  })
}

import {
  createTestDatabase,
  findFreePorts,
  type ServerProcess,
  startPowerDns,
  startServer,
  type TestDatabase,
  type TestPowerDns,
  until,
  whyNoDnsPrograms,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase, type Database } from '../../platform/db/index.ts'
import { silentLog } from '../../platform/log.ts'
import { removeZone, setZone } from './index.ts'
import { createPowerDnsDriver, type PowerDnsDriver } from './powerdns/powerdns.ts'
import {
  askAt,
  nameServerConformance,
  removeZoneAt,
  setZoneAt,
  untilAnswered,
} from './testing/name-server-conformance.ts'
import type { ZoneRecord } from './zones/zone.ts'

const missing = whyNoDnsPrograms()

/** Status, flags and records of each section for each question, as one `dig` prints them. */
async function answersAt(port: number, questions: readonly string[]) {
  const said = await askAt(port, ...questions.flatMap((question) => question.split(' ')))
  const answers = said.split(';; Got answer:').slice(1)
  return answers.map((answer) => {
    const section = (name: string) =>
      (new RegExp(`;; ${name} SECTION:\n([^]*?)\n\n`).exec(answer)?.[1] ?? '')
        .replaceAll(/[ \t]+/g, ' ')
        .split('\n')
        .toSorted()
    return {
      question: section('QUESTION'),
      status: /status: (\w+)/.exec(answer)?.[1],
      isAuthoritative: /flags: qr aa/.test(answer),
      answer: section('ANSWER'),
      authority: section('AUTHORITY'),
    }
  })
}

describe.skipIf(missing !== undefined)(`PowerDNS${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let testDatabase: TestDatabase
  let database: Database
  let driver: PowerDnsDriver
  let programs: [TestPowerDns, TestPowerDns]
  let worker: ServerProcess
  let embedded: ServerProcess
  let embeddedPort: number
  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    database = createDatabase({ connectionString: testDatabase.url })
    programs = [await startPowerDns(), await startPowerDns()]
    embeddedPort = (await findFreePorts(1))[0] ?? 0
    const settings = { urls: programs.map(({ url }) => url), key: programs[0].key }
    // Only `wake` of this driver is called, so its options do not matter: the workers publish.
    driver = createPowerDnsDriver({
      strayMs: 7 * 24 * 60 * 60_000,
      db: database.db,
      clock: systemClock,
      log: silentLog,
      settings,
      secrets: [''],
    })
    const env = {
      DATABASE_URL: testDatabase.url,
      ATOLL_SECRET_KEY: 'a key that both processes have in common',
      ATOLL_NAME_SERVERS: 'ns1.host.example=192.0.2.1,ns2.host.example=192.0.2.2',
    }
    const zones = {
      ATOLL_ZONES: 'powerdns',
      ATOLL_POWERDNS_URL: settings.urls.join(),
      ATOLL_POWERDNS_KEY: settings.key,
    }
    ;[worker, embedded] = await Promise.all([
      startServer({ roles: ['worker'], env: { ...env, ...zones, ATOLL_CONTROL_URL: 'http://127.0.0.1:9' } }),
      startServer({ roles: ['dns'], env: { ...env, ATOLL_DNS_PORT: String(embeddedPort), ATOLL_DNS_RATE: '0' } }),
    ])
  })
  afterAll(async () => {
    await Promise.all([worker, embedded].map((server) => server?.dispose()))
    await Promise.all(programs?.map((program) => program[Symbol.asyncDispose]()))
    await database.close()
    await testDatabase.drop()
  })
  const served = () => ({
    ports: [programs[0].dnsPort, programs[1].dnsPort] as const,
    db: database.db,
    zones: {
      async setZone(...[trx, zone]: Parameters<typeof setZone>) {
        const set = await setZone(trx, zone)
        await driver.wake(trx, zone.domain)
        return set
      },
      async removeZone(...[trx, zone]: Parameters<typeof removeZone>) {
        await removeZone(trx, zone)
        await driver.wake(trx, zone.domain)
      },
    },
  })

  nameServerConformance(served)

  it('answers as our own name server does, record by record', async () => {
    const domain = 'reef.example'
    const records: ZoneRecord[] = [
      { name: domain, type: 'A', value: '192.0.2.1', ttl: 60 },
      { name: domain, type: 'AAAA', value: '2001:0db8:0:0::00ff', ttl: 60 },
      { name: domain, type: 'CAA', value: '0 issuewild "ca.example; accounturi=https://ca.example/1"', ttl: 60 },
      { name: domain, type: 'CAA', value: '128 iodef "mailto:a\\b@ca.example"', ttl: 60 },
      { name: `_acme-challenge.${domain}`, type: 'TXT', value: 'one', ttl: 0 },
      { name: `_acme-challenge.${domain}`, type: 'TXT', value: 'two "and" a half', ttl: 0 },
      { name: `text.${domain}`, type: 'TXT', value: 'Größe; ☃ \t\u0001\\ "x"', ttl: 86_400 },
      { name: `empty.${domain}`, type: 'TXT', value: '', ttl: 60 },
      { name: `*.wild.${domain}`, type: 'CNAME', value: `host.${domain}`, ttl: 60 },
      { name: `host.${domain}`, type: 'A', value: '192.0.2.7', ttl: 60 },
      { name: `host.${domain}`, type: 'AAAA', value: '::ffff:192.0.2.7', ttl: 60 },
      { name: `*.host.${domain}`, type: 'A', value: '192.0.2.8', ttl: 60 },
      { name: `own.wild.${domain}`, type: 'A', value: '192.0.2.9', ttl: 300 },
      { name: `one.${domain}`, type: 'CNAME', value: `two.${domain}`, ttl: 60 },
      { name: `two.${domain}`, type: 'CNAME', value: `host.${domain}`, ttl: 60 },
      { name: `lost.${domain}`, type: 'CNAME', value: `nothing.${domain}`, ttl: 60 },
      { name: `out.${domain}`, type: 'CNAME', value: 'elsewhere.test', ttl: 60 },
      { name: `a.b.c.${domain}`, type: 'A', value: '192.0.2.10', ttl: 60 },
    ]
    const { version } = await setZoneAt(served(), { domain, records })
    const soa = `${domain}. 60 IN SOA ns1.host.example. hostmaster.host.example. ${version} 7200 900 1209600 60`
    await untilAnswered([embeddedPort, ...served().ports], [domain, 'SOA'], [soa])
    const names = [
      ...new Set(records.map(({ name }) => name.replace('*', 'anything'))),
      ...['b.c', 'c', 'none', 'x.y.wild', 'below.own.wild', 'x.host', 'HOST'].map((label) => `${label}.${domain}`),
    ]
    const types = ['A', 'AAAA', 'TXT', 'CAA', 'CNAME', 'MX', 'NS', 'SOA']
    const questions = names.flatMap((name) => types.map((type) => `${name} ${type}`))
    const ours = await answersAt(embeddedPort, questions)
    expect(ours).toHaveLength(questions.length)
    for (const port of served().ports) {
      const theirs = await answersAt(port, questions)
      const expected = ours.map((answer, index) => {
        // Asked for the alias that a wildcard is, PowerDNS 4.7 adds its SOA to the answer.
        const isWildAlias = /\.wild\.\S+ CNAME/.test(questions[index] ?? '')
        return isWildAlias ? { ...answer, authority: theirs[index]?.authority } : answer
      })
      expect(theirs).toEqual(expected)
    }
  })

  it('away, with its worker killed meanwhile, it has the last version once both are back', async () => {
    const domain = 'storm.example'
    const set = (value: string) => setZoneAt(served(), { domain, records: [{ name: `a.${domain}`, type: 'A', value }] })
    const [one, two] = served().ports
    await set('192.0.2.1')
    await untilAnswered([one, two], [`a.${domain}`, 'A'], [`a.${domain}. 60 IN A 192.0.2.1`])
    await setZoneAt(served(), { domain: 'gone.example', records: [] })
    await until('it is there', async () => (await askAt(one, 'gone.example', 'SOA')).includes('NOERROR'))
    await programs[0].kill()
    await set('192.0.2.2')
    await untilAnswered([two], [`a.${domain}`, 'A'], [`a.${domain}. 60 IN A 192.0.2.2`])
    await removeZoneAt(served(), 'gone.example')
    await worker.kill()
    await set('192.0.2.3')
    await worker.restart()
    await untilAnswered([two], [`a.${domain}`, 'A'], [`a.${domain}. 60 IN A 192.0.2.3`])
    const figures = async () => await (await fetch(`${worker.url}/metrics`)).text()
    const label = `server="${programs[0].url}"`
    await until('it is missed', async () =>
      new RegExp(`powerdns_calls_total\\{${label},outcome="away"\\} [1-9]`).test(await figures()),
    )
    expect(await figures()).toMatch(new RegExp(`atoll_powerdns_zones\\{${label},state="behind"\\} [1-9]`))
    await programs[0].start()
    await untilAnswered([one], [`a.${domain}`, 'A'], [`a.${domain}. 60 IN A 192.0.2.3`])
    await until('the removed one is gone', async () => /REFUSED/.test(await askAt(one, 'gone.example', 'SOA')), {
      timeoutMs: 180_000,
    })
    expect(worker.log.filter((line) => line.includes('PowerDNS does not answer'))).not.toEqual([])
    expect(worker.log.join('\n')).not.toContain(programs[0].key)
  })
})

/** Wildcards are renewed as long as they are wanted, visited or not; names ordered for a visit, only while visited. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClock } from '@atoll/testkit'
import { afterAll, expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { createFolderCa } from '../../domains/testing/folder-ca.ts'
import { certificateEnsure } from './job.ts'

const day = 24 * 60 * 60_000
const harness = useDatabase()
const folder = mkdtempSync(join(tmpdir(), 'atoll-wildcards-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
// The test authority's certificates end the moment they are issued, so this clock is set back.
const clock = createTestClock(new Date(Date.now() - 60 * 60_000))

/** The name whose records are gone; what it has is served on, and ordered again once they are back. */
let lost: string | undefined
const orders: string[] = []
const answered: string[] = []
const ca = createFolderCa(folder)
const createJob = () =>
  certificateEnsure({
    db: harness.db,
    clock,
    sealer: createSealer(Buffer.alloc(32, 7)),
    issuer: undefined,
    weeklyShare: 50,
    ca: {
      ...ca,
      order(names, replaces) {
        orders.push(names.join(' '))
        return ca.order(names, replaces)
      },
    },
    domains: {
      find: async (_, number) => {
        const name = `lagoon${number}.example`
        return { name, isLost: name === lost, isDelegated: true, isAliased: true }
      },
      async rewrite(_trx, _number, write) {
        await write()
        return { zoneVersion: 1 }
      },
      pointsHere: async () => true,
      notifyOwner: async () => undefined,
      findAccount: async () => undefined,
      findHost: async () => undefined,
    },
    clusters: { listRegistered: async () => null },
    dns: {
      challenges: { zoneOf: (domain) => `alias.${domain}` },
      async isServed({ domain }) {
        answered.push(domain)
        return true
      },
      seeServed: async () => [],
      forbidsIssuer: async () => false,
    },
  })

async function work(): Promise<void> {
  const job = createJob()
  const { rows } = await harness.pool.query<{ id: string }>('select id from certificates order by id')
  for (const { id } of rows)
    for (let steps = 0; steps < 6; steps += 1) {
      await job.run({ id }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
      clock.advance(1000)
    }
}

test('wildcards of a delegated domain, of a member and by an alias are renewed, visited or not', async () => {
  const wanted: [number, string[], 'dns-01' | 'http-01', visited?: string][] = [
    [1, ['lagoon1.example', '*.lagoon1.example'], 'dns-01'],
    [1, ['*.lena.lagoon1.example'], 'dns-01'],
    [2, ['*.lagoon2.example'], 'dns-01'],
    [3, ['photos.lena.lagoon3.example'], 'http-01', 'cl_lena'],
  ]
  for (const [at, [domain, names, challenge, visited]] of wanted.entries())
    await harness.pool.query(
      `insert into certificates (id, domain, domain_name, names, challenge, visited_cluster, visited_at, next_try_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [
        ...[`ct_${at}`, domain, `lagoon${domain}.example`, names, challenge, visited ?? null],
        ...[visited ? clock.now() : null, clock.now()],
      ],
    )
  const all = wanted.map(([, names]) => names.join(' '))
  await work()
  expect(orders.toSorted()).toEqual(all.toSorted())
  // By an alias the challenge is answered in the zone that it leads to.
  expect(new Set(answered)).toEqual(new Set(['lagoon1.example', 'alias.lagoon2.example']))

  orders.length = 0
  lost = 'lagoon2.example'
  clock.advance(31 * day)
  await work()
  // By this clock issued certificates have already ended, and are renewed repeatedly.
  expect(new Set(orders)).toEqual(new Set(all.slice(0, 2)))
  lost = undefined
  clock.advance(day)
  await work()
  expect(new Set(orders)).toEqual(new Set(all.slice(0, 3)))
  const { rows } = await harness.pool.query<{ names: string[] }>('select names from certificates order by id')
  // Nobody visited the other one for a month: it is gone when it has ended, and comes back with a visit.
  expect(rows.map(({ names }) => names.join(' '))).toEqual(all.slice(0, 3))
})

/** Limits of one grant: a machine that was taken over can store neither larger nor more files than its task needs. */
import { randomBytes } from 'node:crypto'
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createDiskGuard } from './guards/disk-guard.ts'
import { sweepVault } from './maintenance/sweep.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { sha256, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness, type VaultHarness } from './testing/vault-harness.ts'

const clock = createTestClock(new Date('2028-02-28T00:00:00Z'))
const database = useDatabase()
let running: RunningVault
let harness: VaultHarness
beforeAll(async () => {
  running = await runVault(database, { clock })
})
afterAll(() => running.close())
beforeEach(async () => {
  harness = await openVaultHarness(database, running.vault, clock)
})

type Client = ReturnType<typeof vaultClient>
async function post(client: Client, type: string, length = 100): Promise<{ status: number; name: string }> {
  const bytes = randomBytes(length)
  const name = type === 'config' ? type : sha256(bytes)
  return { name, status: (await client.post(type === 'config' ? type : `${type}/${name}`, bytes)).status }
}
const as = async (right: 'read' | 'write' | 'prune', more = {}) => vaultClient(await harness.grant(right, more))
const list = async (client: Client, type: string) => (await (await client.ask('GET', `${type}/`)).json()) as string[]

test('locks of 1 kB and eight at a time, whatever the right; given back, there is room for another', async () => {
  for (const right of ['read', 'write', 'prune'] as const) {
    const client = await as(right)
    expect((await post(client, 'locks', 1025)).status).toBe(413)
    expect((await post(client, 'locks', 2_000_000)).status).toBe(413)
    const sent = await Promise.all(Array.from({ length: 12 }, () => post(client, 'locks', 1024)))
    expect(sent.map(({ status }) => status).sort()).toEqual([...Array(8).fill(200), ...Array(4).fill(403)])
    const there = sent.find(({ status }) => status === 200)
    expect((await client.ask('DELETE', `locks/${there?.name}`)).status).toBe(200)
    expect((await post(client, 'locks')).status).toBe(200)
  }
})

test('locks end with their grant, by its task or by its time, and another grant is none the worse', async () => {
  const [ended, timed, other] = [
    await as('read', { taskId: 'at_ended' }),
    await as('read', { until: new Date(clock.now().getTime() + 60_000) }),
    await as('write'),
  ]
  for (const client of [ended, timed]) for (let lock = 0; lock < 8; lock += 1) await post(client, 'locks')
  const mine = await post(other, 'locks')
  expect(await list(other, 'locks')).toHaveLength(17)
  await database.db.transaction().execute((trx) => running.vault.endGrants(trx, { taskId: 'at_ended' }))
  expect(await list(other, 'locks')).toHaveLength(9)
  clock.advance(61_000)
  const driver = createFolderDriver(running.folder)
  const deps = { db: database.db, clock, log: silentLog, driver, disk: createDiskGuard(driver) }
  await sweepVault({ ...deps, readQuota: async () => null })
  expect(await list(other, 'locks')).toEqual([mine.name])
})

test('one key in a repository; a second one only under a grant to change the password', async () => {
  const client = await as('write')
  expect((await post(client, 'keys', 1025)).status).toBe(413)
  const key = await post(client, 'keys')
  expect(key.status).toBe(200)
  expect((await post(client, 'keys')).status).toBe(403)
  expect((await post(await as('write'), 'keys')).status).toBe(403)
  expect((await post(await as('prune'), 'keys')).status).toBe(403)
  const changing = await as('prune', { deletes: { key: key.name } })
  expect((await post(changing, 'keys')).status).toBe(200)
  expect((await post(changing, 'keys')).status).toBe(403)
  expect((await changing.ask('DELETE', `keys/${key.name}`)).status).toBe(200)
  expect(await list(client, 'keys')).toHaveLength(1)
})

test('of a run that is repeated as its agent was killed before it reported, the last snapshot alone; of another grant none', async () => {
  const earlier = await post(await as('write'), 'snapshots')
  const client = await as('write')
  const sent: string[] = []
  for (let time = 0; time < 20; time += 1) {
    const { status, name } = await post(client, 'snapshots')
    expect([time, status]).toEqual([time, 200])
    sent.push(name)
    expect((await list(client, 'snapshots')).toSorted()).toEqual([earlier.name, name].toSorted())
  }
  expect((await post(client, 'snapshots')).status).toBe(403)
  expect(await list(client, 'snapshots')).toContain(sent.at(-1))
  const { rows } = await database.pool.query(
    'select live_bytes::int as live, trash_bytes::int as trash from vault_usage where owner = $1',
    [harness.userid],
  )
  expect(rows).toEqual([{ live: 200, trash: 1900 }])
})

test('a snapshot is sent again as often as its answer is lost; an index of 64 MiB at most, and 2000 of them', async () => {
  const client = await as('write')
  const bytes = randomBytes(300)
  for (const time of [1, 2])
    expect([time, (await client.post(`snapshots/${sha256(bytes)}`, bytes)).status]).toEqual([time, 200])
  expect((await post(client, 'snapshots', 2 ** 20 + 1)).status).toBe(413)
  expect((await post(client, 'index', 64 * 2 ** 20 + 1)).status).toBe(413)
  const index = await post(client, 'index')
  expect(index.status).toBe(200)
  await database.pool.query(
    `insert into vault_files (repo_id, type, name, bytes, stored_at, scrub_at, grant_id)
    select repo_id, type, md5(n::text) || md5(n::text), 0, stored_at, scrub_at, grant_id
    from vault_files, generate_series(1, 1999) n where repo_id = $1 and name = $2`,
    [harness.repositoryId, index.name],
  )
  expect((await post(client, 'index')).status).toBe(403)
  expect((await post(await as('prune'), 'index')).status).toBe(200)
})

/**
 * Files in the vault without a row are removed as strays of any kind are: listed first, and only listed while careful.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beCareful, endCareful, findCareful } from '../../platform/careful/index.ts'
import { newId } from '../../platform/crypto.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { doomStrays, listStrays, recountStrays } from '../../platform/strays/index.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { reindexVault } from './index.ts'
import type { PlanFiles } from './maintenance/plan-files.ts'
import { maintainVaultStrays } from './maintenance/vault-strays.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { sha256, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness, type VaultHarness } from './testing/vault-harness.ts'

const start = new Date('2028-02-28T00:00:00Z')
const dayMs = 24 * 3600_000
const clock = createTestClock(start)
const database = useDatabase()
let running: RunningVault
let harness: VaultHarness
/** Of a file that we signed, the test's own word stands for it. */
const planFiles: PlanFiles = {
  find: async () => undefined,
  listOutdated: async () => [],
  noteWritten: async () => undefined,
  describe: (text) => (text === 'signed' ? 'the plan "Everything"' : undefined),
}

beforeAll(async () => {
  running = await runVault(database, { clock })
})
afterAll(() => running.close())
beforeEach(async () => {
  await database.pool.query('truncate strays, doubts, evidence, resumptions')
  clock.set(start)
  harness = await openVaultHarness(database, running.vault, clock)
})

const driver = () => createFolderDriver(running.folder)
const pathOf = (object: string) => {
  const [repositoryId = '', type = '', name = ''] = object.split('/')
  return join(running.folder, repositoryId, ...(type === 'data' ? [type, name.slice(0, 2), name] : [type, name]))
}
async function place(repositoryId: string, type: 'data' | 'locks'): Promise<string> {
  const bytes = randomBytes(500)
  const object = `${repositoryId}/${type}/${createHash('sha256').update(bytes).digest('hex')}`
  await mkdir(dirname(pathOf(object)), { recursive: true })
  await writeFile(pathOf(object), bytes)
  await utimes(pathOf(object), start, new Date(start.getTime() - dayMs))
  return object
}
const deps = () => ({ db: database.db, clock, log: silentLog, driver: driver(), planFiles, strayMs: 7 * dayMs })
/** The first look of a day. */
async function look(days: number): Promise<string[]> {
  clock.set(new Date(start.getTime() + days * dayMs))
  await database.pool.query(`delete from deployment_facts where name = 'vault strays'`)
  await maintainVaultStrays(deps())
  return (await listStrays(database.db)).map(({ object }) => object).toSorted()
}
const resume = async () => {
  await database.db.transaction().execute((trx) => endCareful(trx, clock.now()))
  await recountStrays(database.db)
}

test('it is listed, kept for the days set, and only listed while careful; a file of a known repository is trash first', async () => {
  const { repositoryId } = harness
  const client = vaultClient(await harness.grant('write'))
  const kept = randomBytes(700)
  expect((await client.post(`data/${sha256(kept)}`, kept)).status).toBe(200)
  const unknown = newId('vr')
  const ofUnknown = await place(unknown, 'data')
  const file = await place(repositoryId, 'data')
  const lock = await place(repositoryId, 'locks')
  const strays = [unknown, file, lock].toSorted()
  const there = () => [file, lock, ofUnknown].filter((object) => existsSync(pathOf(object)))

  await beCareful(database.db, 'by hand', start)
  expect(await look(0)).toEqual(strays)
  expect(await look(30)).toEqual(strays)
  expect(there()).toHaveLength(3)
  await resume()
  expect(await look(31)).toEqual(strays)
  expect(await look(37)).toEqual(strays)
  expect(there()).toHaveLength(3)
  expect(await look(38)).toEqual([])
  expect(there()).toEqual([file])
  expect(existsSync(join(running.folder, unknown))).toBe(false)
  expect((await client.ask('GET', `data/${sha256(kept)}`)).status).toBe(401)
  const rows = async () =>
    (
      await database.pool.query(
        `select type || '/' || name as file, trashed_by from vault_files where repo_id = $1 order by trashed_by`,
        [repositoryId],
      )
    ).rows
  const ours = { file: `data/${sha256(kept)}`, trashed_by: null }
  const of = file.slice(repositoryId.length + 1)
  expect(await rows()).toEqual([{ file: of, trashed_by: 'unfinished' }, ours])
  // Until its bytes go, reindexing has it back.
  const found = await reindexVault({ db: database.db, place: { vaultDir: running.folder }, now: clock.now() })
  expect(found.added).toBe(1)
  expect(await rows()).toEqual(expect.arrayContaining([{ file: of, trashed_by: null }, ours]))
  expect(await look(39)).toEqual([])
})

test('it goes at the operator’s word at once, else it is looked for once a day, and one that is young is left alone', async () => {
  const { repositoryId } = harness
  expect(await look(100)).toEqual([])
  const file = await place(repositoryId, 'data')
  const young = await place(repositoryId, 'data')
  await utimes(pathOf(young), clock.now(), clock.now())
  const ofDay = async () => {
    await maintainVaultStrays(deps())
    return (await listStrays(database.db)).map(({ object }) => object)
  }
  expect(await ofDay()).toEqual([])
  clock.set(new Date(clock.now().getTime() + dayMs - 1))
  expect(await ofDay()).toEqual([])
  await utimes(pathOf(young), clock.now(), clock.now())
  clock.set(new Date(clock.now().getTime() + 1))
  expect(await ofDay()).toEqual([file])
  expect(await doomStrays(database.db, file)).toBe(1)
  clock.set(new Date(clock.now().getTime() + 60_000))
  expect(await ofDay()).toEqual([])
  const { rows } = await database.pool.query('select trashed_by from vault_files where repo_id = $1', [repositoryId])
  expect(rows).toEqual([{ trashed_by: 'unfinished' }])
})

test('an unknown repository whose file we signed is evidence that the database is older than the vault', async () => {
  const [foreign, own] = [newId('vr'), newId('vr')]
  for (const id of [foreign, own]) await place(id, 'data')
  await driver().writePlanFile(foreign, 'by somebody else')
  expect(await look(200)).toEqual(expect.arrayContaining([foreign]))
  expect(await findCareful(database.db)).toBeUndefined()
  await driver().writePlanFile(own, 'signed')
  expect(await look(201)).toEqual(expect.arrayContaining([foreign, own]))
  expect((await findCareful(database.db))?.why).toMatch(/the plan "Everything", which this database does not know/)
  // The operator accepts that.
  await resume()
  await look(202)
  expect(await findCareful(database.db)).toBeUndefined()
})

import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createDiskGuard } from './guards/disk-guard.ts'
import { findReturn, goBack, listGrantHistory, undoReturn } from './index.ts'
import { sweepVault } from './maintenance/sweep.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { sha256, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness } from './testing/vault-harness.ts'

const day = 24 * 3600_000
const clock = createTestClock(new Date())
const database = useDatabase()
let running: RunningVault
beforeAll(async () => {
  running = await runVault(database, { clock })
})
afterAll(async () => await running.close())

/** Stores a pack, whose path it says, and a snapshot. */
async function storeUnder(granted: { url: string; grantId: string; token: string }, text: string) {
  const client = vaultClient(granted)
  const paths = ['data', 'snapshots'].map((folder) => ({
    folder,
    bytes: new TextEncoder().encode(`${folder} ${text}`),
  }))
  const [pack = ''] = paths.map(({ folder, bytes }) => `${folder}/${sha256(bytes)}`)
  for (const { folder, bytes } of paths)
    expect((await client.post(`${folder}/${sha256(bytes)}`, bytes)).status).toBe(200)
  return { grantId: granted.grantId, pack }
}

test('it is refused once deleted files are gone, also to before a grant that changed nothing itself; until then their date is told', async () => {
  const { db } = database
  const { repositoryId, userid, grant } = await openVaultHarness(database, running.vault, clock)
  const { pack } = await storeUnder(await grant('write'), 'kept')
  const { grantId: idle } = await grant('write')
  const pruner = await grant('prune')
  expect((await vaultClient(pruner).ask('DELETE', pack)).status).toBe(200)
  const history = (quota: number | null) => listGrantHistory(db, { repositoryId, owner: userid, quota })
  const inDays = (days: number) => new Date(clock.now().getTime() + days * day)
  expect((await history(null))[0]).toMatchObject({ grantId: pruner.grantId, until: inDays(14), gone: null })
  expect((await history(1_000_000))[0]?.until, 'its trash is within the quota').toEqual(inDays(14))
  expect((await history(0))[0]?.until, 'there is too much trash').toEqual(inDays(1))

  clock.advance(15 * day)
  const driver = createFolderDriver(running.folder)
  const disk = createDiskGuard(driver)
  await sweepVault({ db, clock, log: silentLog, driver, disk, readQuota: async () => null })
  for (const grantId of [pruner.grantId, idle])
    expect(await db.transaction().execute((trx) => goBack(trx, { repositoryId, grantId }, clock.now()))).toEqual({
      gone: { files: 1, bytes: 9 },
    })
})

test('a clock that is set back does not change the order of grants or of ways back', async () => {
  const { db } = database
  const { repositoryId, userid, grant } = await openVaultHarness(database, running.vault, clock)
  const store = async (text: string) => (await storeUnder(await grant('write'), text)).grantId
  const live = async () => {
    const { rows } = await database.pool.query<{ grant: string }>(
      'select distinct grant_id as grant from vault_files where repo_id = $1 and trashed_at is null',
      [repositoryId],
    )
    return rows.map((row) => row.grant).toSorted()
  }
  const back = (grantId: string) =>
    db.transaction().execute((trx) => goBack(trx, { repositoryId, grantId }, clock.now()))

  const first = await store('first')
  clock.advance(16 * day)
  const ahead = await store('ahead')
  clock.advance(-16 * day)
  const last = await store('last')
  const history = await listGrantHistory(db, { repositoryId, owner: userid, quota: null })
  expect(history.map(({ grantId }) => grantId)).toEqual([last, ahead, first])

  // Files of the grants before the last one stay, although the clock was later for one of them.
  clock.advance(16 * day)
  expect(await back(last)).toMatchObject({ trashed: 2, restored: 0 })
  expect(await live()).toEqual([first, ahead].toSorted())
  clock.advance(-16 * day)
  expect(await back(ahead)).toMatchObject({ trashed: 2, restored: 0 })
  expect((await findReturn(db, repositoryId))?.grantId).toBe(ahead)
  expect(await db.transaction().execute((trx) => undoReturn(trx, repositoryId, clock.now()))).toBe(true)
  expect(await live()).toEqual([first, ahead].toSorted())
})

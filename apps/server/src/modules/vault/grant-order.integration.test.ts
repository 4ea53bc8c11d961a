import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { findReturn, goBack, listGrantHistory, undoReturn } from './index.ts'
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

test('a clock that is set back turns the order of grants and of ways back round in nothing', async () => {
  const { db } = database
  const { repositoryId, grant } = await openVaultHarness(database, running.vault, clock)
  async function store(text: string) {
    const granted = await grant('write')
    const client = vaultClient(granted)
    for (const folder of ['data', 'snapshots']) {
      const bytes = new TextEncoder().encode(`${folder} ${text}`)
      expect((await client.post(`${folder}/${sha256(bytes)}`, bytes)).status).toBe(200)
    }
    return granted.grantId
  }
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
  const history = await listGrantHistory(db, repositoryId)
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

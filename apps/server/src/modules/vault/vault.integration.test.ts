import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256Hex } from '../../platform/crypto.ts'
import type { Trx } from '../../platform/db/index.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { listSnapshotFiles, usageOf, type Vault } from './index.ts'
import { findGranted } from './records/grant-store.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { vaultClient } from './testing/vault-client.ts'
import { openVaultHarness, type VaultHarness } from './testing/vault-harness.ts'

const start = new Date('2028-02-28T00:00:00Z')
const clock = createTestClock(start)
const database = useDatabase()
let running: RunningVault
let vault: Vault
let harness: VaultHarness

beforeAll(async () => {
  running = await runVault(database, { clock })
  vault = running.vault
  harness = await openVaultHarness(database, vault, clock)
})
afterAll(async () => {
  await running.close()
})
const transact = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work)

/** A file as the vault keeps it. */
async function insertFile(type: 'snapshots' | 'data', text: string): Promise<string> {
  const { pool } = database
  const name = sha256Hex(text)
  await pool.query(
    `insert into vault_files (repo_id, type, name, bytes, stored_at, scrub_at) values ($1, $2, $3, $4, $5, $5)`,
    [harness.repositoryId, type, name, text.length, clock.now()],
  )
  await pool.query('update vault_usage set live_bytes = live_bytes + $2 where owner = $1', [
    harness.userid,
    text.length,
  ])
  return name
}

describe('a grant', () => {
  test('is for one repository, until its time or its task is over, and its token is kept nowhere', async () => {
    const { url, grantId, token } = await harness.grant('write', { taskId: 'at_one' })
    expect(url).toBe(`${running.url}/${harness.repositoryId}/`)
    const find = (given: string, at = start) => findGranted(database.db, { grantId, token: given }, undefined, at)
    expect(await find(token)).toMatchObject({
      repositoryId: harness.repositoryId,
      owner: harness.userid,
      right: 'write',
    })
    expect(await find(`${token}x`)).toBeUndefined()
    expect(await find(token, new Date('2028-02-28T01:00:00Z'))).toBeUndefined()
    const { rows } = await database.pool.query('select * from vault_grants')
    expect(JSON.stringify(rows)).not.toContain(token)
    await transact((trx) => vault.endGrants(trx, { taskId: 'at_one' }))
    expect(await find(token)).toBeUndefined()
  })

  test('to prune alone takes snapshots', async () => {
    await expect(harness.grant('write', { deletes: { snapshots: ['00'] } })).rejects.toThrow('only a grant to prune')
  })
})

test('a method that an address does not know is told which it does', async () => {
  const { ask } = vaultClient(await harness.grant('prune'))
  for (const [path, allow] of [
    ['', 'POST, DELETE'],
    ['locks/', 'GET, HEAD'],
    ['config', 'GET, HEAD, POST, DELETE'],
  ]) {
    const answer = await ask('PUT', path ?? '')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
  }
})

describe('a repository', () => {
  test('that is thrown away comes back whole, and is counted as trash meanwhile', async () => {
    const snapshot = await insertFile('snapshots', 'one snapshot')
    await insertFile('data', 'some data')
    const { repositoryId } = harness
    const held = { liveBytes: 21, reservedBytes: 0, trashBytes: 0 }
    const both = async () => [
      await usageOf(database.db, { repositoryId }),
      await usageOf(database.db, { accountId: harness.userid }),
    ]
    expect(await listSnapshotFiles(database.db, repositoryId)).toEqual([
      { name: snapshot, bytes: 12, storedAt: start, isFound: true },
    ])
    expect(await both()).toEqual([held, held])
    const { grantId, token } = await harness.grant('read')
    expect(await transact((trx) => vault.trash(trx, { repositoryId, by: 'bk_gone' }))).toEqual({ trashed: 2 })
    expect(await transact((trx) => vault.trash(trx, { repositoryId, by: 'bk_other' }))).toEqual({ trashed: 0 })
    expect(await findGranted(database.db, { grantId, token }, undefined, start)).toBeUndefined()
    const trashed = { liveBytes: 0, reservedBytes: 0, trashBytes: 21 }
    expect([await listSnapshotFiles(database.db, repositoryId), ...(await both())]).toEqual([[], trashed, trashed])
    expect(await transact((trx) => vault.restore(trx, { repositoryId, by: 'bk_other' }))).toMatchObject({ restored: 0 })
    await database.pool.query(`update vault_files set removing_at = now() where type = 'data'`)
    expect(await transact((trx) => vault.restore(trx, { repositoryId, by: 'bk_gone' }))).toEqual({
      restored: 1,
      lost: 1,
    })
    expect((await both())[1]).toEqual({ liveBytes: 12, reservedBytes: 0, trashBytes: 9 })
  })

  test('loses the keys of an init that was cut off, and none beside a config that cannot be read', async () => {
    const other = await openVaultHarness(database, vault, clock)
    const client = vaultClient(await other.grant('write'))
    const key = Buffer.from('a key')
    const address = `keys/${sha256Hex('a key')}`
    const create = async () => (await client.ask('POST', '?create=true', { 'content-length': '0' })).status
    expect(await create()).toBe(200)
    expect((await client.post(address, key)).status).toBe(200)
    const config = join(running.folder, other.repositoryId, 'config')
    await symlink(config, config)
    await create()
    expect((await client.ask('GET', address)).status).toBe(200)
    await rm(config)
    expect(await create()).toBe(200)
    expect((await client.ask('GET', address)).status).toBe(404)
  })
})

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, utimes } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createTestDatabase, until } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase } from '../../platform/db/index.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createDiskGuard } from './guards/disk-guard.ts'
import { usageOf } from './index.ts'
import { sweepVault } from './maintenance/sweep.ts'
import { runVault } from './testing/running-vault.ts'
import { sha256, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness } from './testing/vault-harness.ts'

test('a vault that is killed in the middle of an upload leaves no row, and its room is given back', async () => {
  await using scratch = await createTestDatabase()
  const database = createDatabase({ connectionString: scratch.url })
  const running = await runVault(database, { clock: systemClock })
  const { folder } = running
  const harness = await openVaultHarness(database, running.vault, systemClock)
  const { grantId, token } = await harness.grant('write')
  const child = spawn(process.execPath, [join(import.meta.dirname, 'vault-process.fixture.ts'), scratch.url, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [port] = await once(createInterface({ input: child.stdout }), 'line')
    const bytes = randomBytes(1_000_000)
    const path = `/${harness.repositoryId}/data/${sha256(bytes)}`
    const authorization = `Basic ${Buffer.from(`${grantId}:${token}`).toString('base64')}`
    const headers = { authorization, 'content-length': bytes.length }
    const upload = http.request({ host: '127.0.0.1', port, method: 'POST', path, headers })
    const cut = once(upload, 'error').then(
      () => undefined,
      () => undefined,
    )
    upload.write(bytes.subarray(0, 500_000))
    const held = () => usageOf(database.db, { accountId: harness.userid })
    await until('room is reserved', async () => (await held()).reservedBytes === bytes.length)
    await until('bytes are on the disk', async () => (await readdir(join(folder, 'uploads'))).length === 1)
    child.kill('SIGKILL')
    await once(child, 'close')
    upload.destroy()
    await cut
    expect(await held()).toEqual({ liveBytes: 0, reservedBytes: bytes.length, trashBytes: 0 })

    // A minute later, and for what is on the disk ten.
    await database.pool.query(
      `update leases set renewed_at = renewed_at - interval '61 s' where kind = 'vault'
         and name = (select holder from vault_uploads)`,
    )
    const [left = ''] = await readdir(join(folder, 'uploads'))
    await utimes(join(folder, 'uploads', left), 0, 0)
    const driver = createFolderDriver(folder)
    const deps = { db: database.db, clock: systemClock, log: silentLog, driver, disk: createDiskGuard(driver) }
    expect(await sweepVault({ ...deps, readQuota: async () => null })).toMatchObject({ uploads: 1, leftovers: 1 })
    expect(await held()).toEqual({ liveBytes: 0, reservedBytes: 0, trashBytes: 0 })
    const { rows } = await database.pool.query('select name from vault_files')
    expect(rows).toEqual([])
    const url = `${running.url}/${harness.repositoryId}/`
    expect((await vaultClient({ url, grantId, token }).post(`data/${sha256(bytes)}`, bytes)).status).toBe(200)
    expect(await held()).toEqual({ liveBytes: bytes.length, reservedBytes: 0, trashBytes: 0 })
  } finally {
    child.kill('SIGKILL')
    await running.close()
    await database.close()
  }
})

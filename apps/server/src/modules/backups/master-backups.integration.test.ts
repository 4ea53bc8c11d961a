import { expect, test } from 'vitest'
import { grantToMaster } from './commands/backup-grant.ts'
import { openBackupHarness, start, useBackupHarness } from './testing/backup-harness.ts'
import { listKeptOfMaster } from './views/master-backups.ts'

const master = { instanceId: 'in_master0000', agentToken: 'a'.repeat(43) }
const stranger = { ...master, instanceId: 'in_stranger0' }
const { clock, database, harness } = useBackupHarness()

test('a master reads what is kept of its own cluster, the newest first, and nobody else does', async () => {
  const other = await openBackupHarness(database, clock)
  await other.runNow(await other.create())
  const id = await harness.create()
  expect(await listKeptOfMaster(harness.deps, master)).toEqual([{ backupId: id, name: 'Everything', snapshots: [] }])
  await harness.runNow(id)
  await harness.runNow(id)
  const [backup] = await listKeptOfMaster(harness.deps, master)
  const runs = await harness.runs(id)
  expect(backup?.snapshots).toMatchObject([
    { snapshotId: '2'.padStart(64, '0'), files: 12, bytes: 34_000 },
    { snapshotId: '1'.padStart(64, '0'), files: 12, bytes: 34_000 },
  ])
  expect(backup?.snapshots).toHaveLength(runs.length)
  await expect(listKeptOfMaster(harness.deps, stranger)).rejects.toMatchObject({ key: 'agentUnproven' })
})

test('a master gets a right to read its own backups for an hour, which lets it change nothing', async () => {
  const id = await harness.create()
  const { repository, until } = await grantToMaster(harness.deps, { ...master, backupId: id }, '192.0.2.7')
  expect(until).toBe(start.getTime() + 3600_000)
  expect(repository.url).toContain(await harness.repositoryOf(id))
  const { db } = database
  const row = await db.selectFrom('vault_grants').selectAll().where('id', '=', repository.grantId).executeTakeFirst()
  expect(row).toMatchObject({ rights: 'read', until: new Date(until), repo_id: await harness.repositoryOf(id) })
  expect(JSON.stringify(row)).not.toContain(repository.token)
  const records = db.selectFrom('audit_entries').select(['actor', 'ip', 'object_name']).where('object_id', '=', id)
  const record = { actor: null, ip: '192.0.2.7', object_name: 'Everything' }
  expect(await records.where('action', '=', 'backup.look').execute()).toEqual([record])

  const other = await openBackupHarness(database, clock)
  const theirs = await other.create()
  await expect(grantToMaster(harness.deps, { ...master, backupId: theirs }, null)).rejects.toMatchObject({
    key: 'notFound',
  })
  await expect(grantToMaster(harness.deps, { ...stranger, backupId: id }, null)).rejects.toMatchObject({
    key: 'agentUnproven',
  })
})

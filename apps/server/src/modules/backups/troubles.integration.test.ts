/** The owner of a backup is notified of failures: once for each cause, and once when everything works again. */
import { expect, test } from 'vitest'
import { runBackup } from './commands/backup-run.ts'
import { useBackupHarness } from './testing/backup-harness.ts'

const hour = 3600_000
const day = 24 * hour
const { clock, database, harness } = useBackupHarness()

const subjects = () => harness.written().map(({ subject }) => subject)
const failed = (failure: string) => ({ outcome: 'failed', failure, text: 'in restic’s words' })

async function failRun(id: string, failure: string): Promise<void> {
  clock.advance(hour)
  await runBackup(harness.deps, harness.caller, { backupId: id })
  await harness.reconcile(id)
  harness.agents.end(harness.agents.newest('backup.run'), failed(failure))
  await harness.reconcile(id)
}

test('a run that fails is told at the first time, again for another cause, and once when it works', async () => {
  const id = await harness.create()
  for (const failure of ['unreachable', 'unreachable', 'bad_path', 'unreachable']) await failRun(id, failure)
  expect(subjects()).toEqual(['A run of the backup Everything failed', 'A run of the backup Everything failed'])
  const [first] = harness.written()
  expect(first?.before?.join(' ')).toContain('The machine could not reach the backup store.')
  expect(first?.facts).toEqual([
    { label: 'When', value: '1 Jun 2028, 13:00 UTC' },
    { label: 'Next run', value: expect.stringContaining('1 Jul 2028, ') },
  ])
  await harness.runNow(id)
  expect(subjects().slice(2)).toEqual(['The backup Everything works again'])
  await harness.runNow(id)
  expect(subjects()).toHaveLength(3)
  await failRun(id, 'unreachable')
  expect(subjects()).toHaveLength(4)
})

test('a chore that fails is told, too; what is over is told when runs and chores work', async () => {
  const id = await harness.create()
  await harness.runNow(id)
  for (let time = 0; time < 2; time += 1) {
    clock.advance(2 * day)
    await harness.reconcile(id)
    harness.agents.end(harness.agents.newest('backup.check'), failed('locked'))
    await harness.reconcile(id)
  }
  expect(subjects()).toEqual(['The backup Everything could not be verified'])
  await failRun(id, 'unreachable')
  clock.advance(day)
  await harness.settleCheck(id)
  expect(subjects(), 'the run has not worked yet').toHaveLength(2)
  await harness.runNow(id)
  expect(subjects()[2]).toBe('The backup Everything works again')
})

test('a machine that is off is no news; one that is there and lacks its password is', async () => {
  const id = await harness.createDaily()
  harness.agents.agent.connected = false
  for (let night = 0; night < 3; night += 1) {
    clock.advance(day)
    await harness.reconcile(id)
  }
  expect((await harness.runs(id)).filter(({ state }) => state === 'Failed').length).toBeGreaterThan(0)
  expect(subjects()).toEqual([])
  harness.agents.agent.connected = true
  await database.db.updateTable('backups').set({ password: 'missing', box: null }).where('id', '=', id).execute()
  for (let night = 0; night < 3; night += 1) {
    clock.advance(day)
    await harness.reconcile(id)
  }
  expect(subjects()).toEqual(['A run of the backup Everything failed'])
  expect(harness.written()[0]?.before?.join(' ')).toContain('Waits for the backup password.')
})

test('is told in the language of the owner', async () => {
  await database.db
    .updateTable('accounts')
    .set({ locale: 'zh-CN' })
    .where('account_id', '=', harness.caller.userid)
    .execute()
  const id = await harness.create()
  await failRun(id, 'quota')
  await harness.runNow(id)
  expect(subjects()).toEqual(['备份 Everything 的一次运行失败', '备份 Everything 已恢复正常'])
})

/** How drills on clusters that are made for them end before their time, what is said of it, and what is left. */
import { describe, expect, test } from 'vitest'
import { testCatalog } from '../clusters/testing/cluster-harness.ts'
import { deleteBackup } from './commands/backup-change.ts'
import { cancelRun } from './commands/backup-run.ts'
import { came, useDrillHarness } from './testing/drill-harness.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const given = useDrillHarness()
const { clock, database, harness, reconcile, proof, chores, clusters, desiredOnes, seal, sweep } = given
const { offer, drilledBackup } = given

/** The event, and the reason that is shown. */
const endings: Record<string, [() => Promise<unknown> | unknown, string]> = {
  'whose cloud is full': [
    () =>
      database.db
        .updateTable('instances')
        .set({ status: 'errored', error: '{"key":"queuingLate","cause":{"key":"noRoomYet"}}' })
        .execute(),
    'There was no room for a machine to drill on. It is tried again a day later.',
  ],
  'whose machine cannot be made': [
    () => database.db.updateTable('instances').set({ status: 'errored', error: '{"key":"gone"}' }).execute(),
    'The machine to drill on could not be made. It is tried again a day later.',
  ],
  'whose machine does not come': [
    () => clock.advance(31 * minute),
    'The drill could not begin within half an hour: a machine was not connected. It is tried again a day later.',
  ],
  'whose cluster is destroyed by the operator': [
    () => database.db.updateTable('clusters').set({ desired: 'destroyed' }).where('purpose', '=', 'drill').execute(),
    'The machine to drill on was lost. It is tried again a day later.',
  ],
  'whose backed-up cluster is destroyed before it sealed the password': [
    () => harness.masters.splice(0),
    'The cluster is gone.',
  ],
  'whose password cannot be sealed': [
    () => seal({ outcome: 'failed', failure: 'no_password', text: 'No password of this backup is kept here.' }),
    'Waits for the backup password.',
  ],
  'whose machine is lost while it restores': [
    async () => {
      await seal()
      Object.assign(harness.agents.others[0] ?? {}, { connected: false })
      clock.advance(11 * minute)
    },
    'The machine to drill on was lost. It is tried again a day later.',
  ],
  'that takes too long': [
    async () => {
      await seal()
      clock.advance(6 * hour + minute)
    },
    'The drill took longer than six hours and was ended. It is tried again a day later.',
  ],
  'that takes too long, and whose machine the sweep took first': [
    async () => {
      await seal()
      clock.advance(6 * hour + minute)
      await sweep()
    },
    'The drill took longer than six hours and was ended. It is tried again a day later.',
  ],
  'that finds no room on the disk': [
    async () => {
      await seal()
      const failed = { outcome: 'failed', failure: 'no_room', text: 'disk full' }
      harness.agents.end(harness.agents.newest('backup.drill'), failed)
    },
    'The drive has no room for the files.',
  ],
  'that its owner cancels while the machine is made': [
    () => cancelRun(harness.deps, harness.caller, { backupId: given.id, proof: true }),
    'The verification was canceled.',
  ],
  'that its owner cancels while it restores': [
    async () => {
      await seal()
      await cancelRun(harness.deps, harness.caller, { backupId: given.id, proof: true })
    },
    'The verification was canceled.',
  ],
}

describe('a drill', () => {
  test.each(Object.entries(endings))(
    '%s says so, proves nothing, and leaves no cluster',
    async (_, [happen, words]) => {
      await happen()
      await reconcile()
      expect(await chores()).toMatchObject([{ ended_at: clock.now() }])
      const { drill, drillMissed } = await proof()
      expect([drill, drillMissed?.reason, harness.mails]).toEqual([null, words, []])
      expect([await desiredOnes(), await harness.proving(given.id)]).toEqual([['destroyed'], null])
      const open = await database.db.selectFrom('vault_grants').selectAll().where('until', '>', clock.now()).execute()
      const tasks = (await chores()).flatMap(({ task_id }) => task_id ?? [])
      expect(open.filter(({ task_id }) => task_id !== null && tasks.includes(task_id))).toEqual([])
    },
  )

  test('goes on where its backed-up cluster is destroyed after it sealed the password', async () => {
    await seal()
    harness.masters.splice(0)
    harness.agents.end(harness.agents.newest('backup.drill'), came)
    await reconcile()
    expect((await proof()).drill).toMatchObject({ passed: true })
    expect(await desiredOnes()).toEqual(['destroyed'])
  })

  test('ends with its backup', async () => {
    await seal()
    await deleteBackup(harness.deps, harness.caller, { backupId: given.id })
    await reconcile()
    expect([await desiredOnes(), (await chores())[0]?.ended_at]).toEqual([['destroyed'], clock.now()])
  })

  test('for which all is sold out is not begun, says so, and is tried a day later', async () => {
    await harness.deps.db.transaction().execute(async (trx) => {
      for (const { id: clusterId } of await clusters()) await harness.deps.drills.destroy(trx, clusterId)
    })
    await reconcile()
    const sold = testCatalog.clouds.map((cloud) => ({
      ...cloud,
      offerings: cloud.offerings.map((each) => ({ ...each, soldOutIn: cloud.regions.map(({ regionId }) => regionId) })),
    }))
    offer({ ...testCatalog, clouds: sold })
    clock.advance(day)
    await harness.settleCheck(given.id)
    expect((await proof()).drillMissed?.reason).toBe(
      'There was no room for a machine to drill on. It is tried again a day later.',
    )
    expect([await desiredOnes(), await harness.proving(given.id)]).toEqual([['destroyed'], null])
    offer(testCatalog)
    clock.advance(day)
    await harness.settleCheck(given.id)
    expect(await desiredOnes()).toEqual(['destroyed', 'running'])
  })

  test('of each backup has a cluster of its own, and a fifth waits until one of four is gone', async () => {
    const others: string[] = []
    for (const name of ['Two', 'Three', 'Four', 'Five']) {
      others.push(await drilledBackup(name, `0${others.length + 4}:00`))
    }
    expect(await desiredOnes()).toEqual(['running', 'running', 'running', 'running'])
    expect(new Set((await clusters()).map(({ owner }) => owner)).size).toBe(1)
    const [fifth = ''] = others.slice(-1)
    expect((await harness.show(fifth)).proof.drillMissed).toBeNull()
    await harness.reconcile(given.id)
    await harness.reconcile(fifth)
    expect(await desiredOnes()).toEqual(['destroyed', 'running', 'running', 'running', 'running'])
  })
})

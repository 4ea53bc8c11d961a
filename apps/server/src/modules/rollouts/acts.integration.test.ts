import { expect, test } from 'vitest'
import { systemClock as clock } from '../../platform/clock.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { makeAccount } from '../accounts/testing/make-account.ts'
import { actAsOperator } from './acts.ts'
import { findNewestRollout, insertRollout, listComing } from './rollout-store.ts'
import { putOff } from './rollouts.ts'

const database = useDatabase()

test('what the operator does by command stands in the log as the act of staff does', async () => {
  const release = {
    version: '2.0.0+two',
    at: 1,
    sha256: 'a'.repeat(64),
    signature: Buffer.alloc(64).toString('base64'),
  }
  const { db, pool } = database
  const deps = { clock, offered: async () => release }
  for (const verb of ['start', 'pause', 'continue', 'back'] as const) {
    const id = (await findNewestRollout(db, 'agent'))?.id ?? ''
    await db.transaction().execute((trx) => actAsOperator(deps, trx, { verb, id, version: release.version }))
  }
  const { rows } = await pool.query('select action, actor, owner, object_name, after from audit_entries order by seq')
  expect(rows).toEqual(
    ['Start', 'Pause', 'Continue', 'Back'].map((act) => ({
      action: `support.rollout${act}`,
      actor: null,
      owner: null,
      object_name: release.version,
      after: JSON.stringify({ version: release.version }),
    })),
  )
})

test('putting an update off counts once, however often its lost answer is asked for again', async () => {
  const { db } = database
  const { userid, did } = await makeAccount(db)
  const caller = { userid, did, sessionId: 's', role: 'User', ip: '127.0.0.1' } as const
  const place = { instanceId: 'in_one000000000', clusterId: 'cl_one000000000', wave: 0 }
  const rollout = { id: 'ro_off', kind: 'agent', version: '2.0.0+two', now: clock.now() } as const
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('rollouts').set({ state: 'ended' }).execute()
    await insertRollout(trx, rollout, [place])
  })
  const body = { clusterId: place.clusterId, requestId: 'a'.repeat(32) }
  for (let times = 0; times < 3; times += 1) expect(await putOff({ db, clock }, body, caller)).toEqual({})
  expect(await listComing(db, place.clusterId)).toMatchObject([{ put_off: 1 }])
  await putOff({ db, clock }, { ...body, requestId: 'b'.repeat(32) }, caller)
  expect(await listComing(db, place.clusterId)).toMatchObject([{ put_off: 2 }])
})

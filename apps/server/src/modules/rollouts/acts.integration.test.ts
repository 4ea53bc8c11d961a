import { expect, test } from 'vitest'
import { systemClock as clock } from '../../platform/clock.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { actAsOperator } from './acts.ts'
import { findNewestRollout } from './rollout-store.ts'

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
      ...{ action: `support.rollout${act}`, actor: null, owner: null, object_name: release.version },
      after: JSON.stringify({ version: release.version }),
    })),
  )
})

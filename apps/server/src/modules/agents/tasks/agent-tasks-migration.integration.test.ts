/** Requests to agents from before tasks were rows, converted by migration 0046. */
import { expect, test } from 'vitest'
import { databaseBefore } from '../../../platform/db/testing/database-before.ts'

const own = '0046-agent-tasks.sql'

test('each open request becomes a task, answers become ends, and nothing else is asked', async () => {
  await using old = await databaseBefore(own)
  const { db, pool } = old
  const install = JSON.stringify({ state: 'waiting', taskId: null, reason: null, steps: [] })
  const insert = async (instance: string, columns: object) => {
    const row = { instance_id: instance, cluster_id: 'cl_1', enroll_token_hash: instance, install, ...columns }
    const names = Object.keys(row)
    await pool.query(
      `insert into agents (enroll_expires_at, ${names}) values (now(), ${names.map((_, at) => `$${at + 1}`)})`,
      Object.values(row),
    )
  }
  await insert('in_idle', { boot_id: 'b2', restart_boot: 'b1', rotate_task: 'op_0', rotated_task: 'op_0' })
  await insert('in_open', {
    boot_id: 'b1',
    restart_boot: 'b1',
    drain_task: 'op_1',
    rotate_task: 'op_2',
    rotated_task: 'op_0',
  })
  await insert('in_drained', { drain_task: 'op_3', drained_task: 'op_3' })
  await insert('in_leaving', { leaving_at: new Date(), leave_wipe: true })
  await insert('in_left', { leaving_at: new Date(), left_at: new Date() })
  await pool.query("insert into agent_farewells values ('in_gone', 'hash', true, now())")

  await old.migrate()
  const tasks = await db
    .selectFrom('agent_tasks')
    .select(['instance_id', 'kind', 'params', 'state'])
    .orderBy('instance_id')
    .orderBy('kind')
    .execute()
  expect(tasks.map(({ instance_id, kind, params, state }) => [instance_id, kind, params, state])).toEqual([
    ['in_drained', 'drain', { withinMs: 50_000 }, 'done'],
    ['in_leaving', 'leave', { wipe: true }, 'offered'],
    ['in_left', 'leave', { wipe: false }, 'done'],
    ['in_open', 'drain', { withinMs: 50_000 }, 'offered'],
    ['in_open', 'restart', { bootId: 'b1' }, 'offered'],
    ['in_open', 'rotate', {}, 'offered'],
  ])
  const pending = await db.selectFrom('pending_decommissions').select(['instance_id', 'wipe']).execute()
  expect(pending).toEqual([{ instance_id: 'in_gone', wipe: true }])
})

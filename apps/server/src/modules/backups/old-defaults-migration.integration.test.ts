/** Plans from before rules suited the schedule, carried over by 0250. */
import { defaultKeepOf } from '@atoll/contract/backups'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../platform/db/testing/database-before.ts'

const userid = 'did:key:z6MkOwner'
const own = '0250-kept-snapshots.sql'
const oldDefault = { last: 0, hourly: 0, daily: 30, weekly: 0, monthly: 12, yearly: 0 }

test('plans with the old default get the one of their schedule; chosen rules stay', async () => {
  await using old = await databaseBefore(own)
  const { db, pool } = old

  await pool.query(
    `insert into accounts (userid, created_at, can_create_cluster, vcpu_quota) values ('${userid}', now(), true, 4)`,
  )
  await pool.query(`
    insert into clusters (id, owner, name, cluster_type, host_label, status, desired, created_at, changed_at, checked_at)
    values ('cl_1', '${userid}', 'Reef', 'SelfHost', 'reef', 'running', 'running', now(), now(), now())`)
  const insert = async (id: string, every: string, keep: object, state = 'active') =>
    await pool.query(
      `insert into backups (id, owner, cluster_id, name, repo_id, paths, schedule, time_zone, keep, state, slots_until,
         password, created_at, deleted_at)
       values ($1, '${userid}', 'cl_1', $1, 'vr_1', '[]', $2, 'UTC', $3, $4, now(), 'missing', now(),
         case when $4 = 'deleting' then now() end)`,
      [id, JSON.stringify({ every, minute: 0 }), JSON.stringify(keep), state],
    )
  const schedules = ['hour', 'day', 'week', 'month'] as const
  for (const every of schedules) await insert(`old ${every}`, every, oldDefault)
  const chosen = { ...oldDefault, daily: 7 }
  for (const every of schedules) await insert(`chosen ${every}`, every, chosen)
  await insert('deleting', 'hour', oldDefault, 'deleting')

  await old.migrate()
  const rows = await db.selectFrom('backups').select(['id', 'keep', 'trashed_files']).execute()
  const keepOf = (id: string) => rows.find((row) => row.id === id)?.keep
  for (const every of schedules) {
    expect(keepOf(`old ${every}`), every).toEqual(defaultKeepOf({ every }))
    expect(keepOf(`chosen ${every}`), every).toEqual(chosen)
  }
  expect(keepOf('deleting')).toEqual(defaultKeepOf({ every: 'hour' }))
  expect(rows.find(({ id }) => id === 'deleting')).toMatchObject({ trashed_files: 0 })
})

import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { useDatabase } from '../db/testing/use-database.ts'
import { silentLog } from '../log.ts'
import { requestKeysPrune } from './request-keys-prune.ts'

const database = useDatabase()

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * 60_000)

test('request keys are forgotten after a day', async () => {
  const { db } = database
  const owner = 'ac_reef'
  await db
    .insertInto('accounts')
    .values({
      account_id: owner,
      did: `did:key:z6Mk${'a'.repeat(44)}`,
      can_create_cluster: true,
      created_at: hoursAgo(30),
    })
    .execute()
  const key = { owner, body_hash: 'x', answer: '{}' }
  await db
    .insertInto('request_keys')
    .values([
      { ...key, key: 'of-yesterday', created_at: hoursAgo(25) },
      { ...key, key: 'of-today', created_at: hoursAgo(1) },
    ])
    .execute()
  const job = requestKeysPrune({ db, clock: systemClock })
  await job.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  expect(await db.selectFrom('request_keys').select('key').execute()).toEqual([{ key: 'of-today' }])
})

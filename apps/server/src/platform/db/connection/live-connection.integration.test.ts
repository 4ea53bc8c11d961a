import { expect, onTestFinished, test } from 'vitest'
import { createPool } from '../index.ts'
import { useDatabase } from '../testing/use-database.ts'

const harness = useDatabase()

test('a pool makes new connections by the URL of then, and those that it has go on', async () => {
  const role = `changed_${Date.now()}`
  await harness.pool.query(`create role ${role} login`)
  let url = harness.url
  const connection = {
    get connectionString() {
      return url
    },
  }
  const pool = createPool(connection, { max: 2 })
  onTestFinished(async () => {
    await pool.end()
    await harness.pool.query(`drop role ${role}`)
  })
  const whoIs = async (client: { query: typeof pool.query }) =>
    (await client.query<{ who: string }>('select current_user::text as who')).rows[0]?.who
  const first = await pool.connect()
  url = url.replace('//app@', `//${role}@`)
  const second = await pool.connect()
  expect([await whoIs(first), await whoIs(second)]).toEqual(['app', role])
  first.release()
  second.release()
})

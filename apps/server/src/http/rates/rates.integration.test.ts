import { avatarRemove, userInfo } from '@atoll/contract/accounts'
import { metricsTokenMake, metricsTokenRevoke } from '@atoll/contract/observe'
import { codes } from '@atoll/contract/wire'
import { createScriptedWallet } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWholeServer, type WholeServer } from '../../testing/whole-server.ts'

/** With the rates as they are built in. */
let server: WholeServer
beforeAll(async () => {
  server = await startWholeServer({ settings: { ATOLL_RATE_FACTOR: '1' }, hasJobs: false })
})
afterAll(() => server.close())

const bind = async (name: string) => {
  const wallet = createScriptedWallet()
  await wallet.register(server.origin)
  return await wallet.bindName(server.origin, name)
}

test('one network takes ten IDs of two letters in an hour, and longer ones as before', async () => {
  const answers: number[] = []
  for (const letter of 'abcdefghijkl') answers.push((await bind(`${letter}q@atoll.test`)).code)
  expect(answers).toEqual([...Array(10).fill(0), codes.tooManyRequests, codes.tooManyRequests])
  expect((await bind('zz@atoll.test')).message).toMatch(/Try again in \d+ s/)
  expect((await bind('reef@atoll.test')).code).toBe(0)
})

test('an account writes only so much into the audit log in a minute, by one call or by several', async () => {
  const { api, userid } = await server.createPerson()
  const sent = async (call: typeof metricsTokenMake | typeof metricsTokenRevoke | typeof avatarRemove) =>
    (await api.send(call, {})).code
  const byOne: number[] = []
  for (let count = 0; count < 200; count += 1) byOne.push(await sent(metricsTokenMake))
  expect(byOne.filter((code) => code === codes.ok).length).toBeLessThan(180)
  expect(byOne).toContain(codes.tooManyRequests)
  const bySeveral: number[] = []
  for (let count = 0; count < 150; count += 1) bySeveral.push(await sent(metricsTokenRevoke), await sent(avatarRemove))
  expect(bySeveral).toContain(codes.tooManyRequests)
  const { rows } = await server.database.pool.query<{ count: number }>(
    `select count(*)::int as count from (
       select actor from audit_drafts union all select account_id from audit_entries join account_dids on did = actor
     ) recorded where actor = $1`,
    [userid],
  )
  const count = rows[0]?.count
  // Without a rate there were 350.
  expect(count).toBeGreaterThanOrEqual(120)
  expect(count).toBeLessThan(200)
  // Others go on, and so does what only reads.
  expect((await api.send(userInfo, {})).code).toBe(codes.ok)
  const other = await server.createPerson()
  expect((await other.api.send(metricsTokenMake, {})).code).toBe(codes.ok)
})

test('a network that guesses passwords of invitations gets HTTP 429 and a time to retry', async () => {
  const post = () =>
    fetch(`${server.origin}/join_organization`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jws: 'a.b.c' }),
    })
  const answers: Response[] = []
  for (let count = 0; count < 75; count += 1) answers.push(await post())
  expect(answers.slice(0, 60).map(({ status }) => status)).toEqual(Array(60).fill(200))
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toBe('1')
  expect(await refused?.json()).toMatchObject({ code: codes.tooManyRequests })
})

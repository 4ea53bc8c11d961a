import { randomBytes } from 'node:crypto'
import { activeLogin, login, logout, userInfo } from '@atoll/contract/accounts'
import { codes } from '@atoll/contract/wire'
import {
  createApiClient,
  createScriptedWallet,
  createSignInCode,
  createTestDatabase,
  postJson,
  type ServerProcess,
  startServer,
  type TestDatabase,
} from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let database: TestDatabase
let servers: [ServerProcess, ServerProcess]
beforeAll(async () => {
  database = await createTestDatabase()
  const env = {
    DATABASE_URL: database.url,
    ATOLL_SECRET_KEY: randomBytes(32).toString('base64url'),
    ATOLL_SIGN_IN_RATE: '1000000',
    ATOLL_RATE_FACTOR: '1000',
  }
  servers = await Promise.all([startServer({ env, roles: ['api'] }), startServer({ env, roles: ['api'] })])
})
afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.dispose()))
  await database?.drop()
})

test('two api processes accept one approval of each code and hand out one session', async () => {
  for (let round = 0; round < 10; round += 1) {
    const code = createSignInCode(servers[0].url)
    const phones = [createScriptedWallet(), createScriptedWallet()]
    const poll = () =>
      Promise.all(
        [...servers, ...servers].map((server) => createApiClient(server.url).ask(activeLogin, { secret: code.secret })),
      )
    const [answers, early] = await Promise.all([
      Promise.all(
        phones.map((phone, at) => postJson(`${servers[at]?.url}${login.path}`, phone.approval(code.request))),
      ),
      poll(),
    ])
    expect(answers.map((answer) => answer.code).sort()).toEqual([codes.ok, codes.conflict])
    const sessions = [...early, ...(await poll())].filter((answer) => 'userid' in answer)
    const winner = phones[answers.findIndex((answer) => answer.code === codes.ok)]
    expect(sessions).toEqual([expect.objectContaining({ userid: winner?.did })])
  }
})

test('a session of one is a session of the other, until either ends it', async () => {
  const [first, second] = servers
  const { userid, token } = await createScriptedWallet().signIn(first.url)
  const [here, there] = [first, second].map((server) => createApiClient(server.url, { userid, token }))
  expect(await there?.ask(userInfo, {})).toMatchObject({ userid })
  await there?.ask(logout, {})
  expect((await here?.send(userInfo, {}))?.code).toBe(codes.signedOut)
})

test('a session survives the death of the process that gave it', async () => {
  const [first, second] = servers
  const { userid, token } = await createScriptedWallet().signIn(first.url)
  await first.restart()
  for (const { url } of [first, second]) {
    expect(await createApiClient(url, { userid, token }).ask(userInfo, {})).toMatchObject({ userid })
  }
})

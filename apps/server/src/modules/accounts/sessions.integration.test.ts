import { activeLogin, logout, sessionList, sessionRevoke, sessionRevokeAll, userInfo } from '@atoll/contract/accounts'
import { codes } from '@atoll/contract/wire'
import { createApiClient, createScriptedWallet, createSignInCode, openChangeStream, until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ServiceApp, startServiceApp } from './service-app.fixture.ts'
import { accountOfDid } from './stores/account-store.ts'
import { touchSession } from './stores/session-store.ts'

let app: ServiceApp
/** A second process of the same deployment. */
let second: ServiceApp
beforeAll(async () => {
  const first = await startServiceApp()
  app = first
  second = await startServiceApp(first)
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const phone =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

/** Signs in from a browser with that user agent. */
async function signIn(wallet = createScriptedWallet(), userAgent?: string) {
  const code = createSignInCode(app.origin)
  await wallet.approve(code.request)
  const response = await fetch(`${app.origin}${activeLogin.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(userAgent && { 'user-agent': userAgent }) },
    body: JSON.stringify({ secret: code.secret }),
  })
  const { data } = (await response.json()) as { data: { userid: string; token: string } }
  return createApiClient(app.origin, { userid: data.userid, token: data.token })
}

const currentId = async (api: Awaited<ReturnType<typeof signIn>>) =>
  (await api.ask(sessionList, {})).find((session) => session.current)?.id ?? ''

describe('the list of sessions', () => {
  test('names device and place, this one first, and never a user agent or a token', async () => {
    const wallet = createScriptedWallet()
    await signIn(wallet, phone)
    const api = await signIn(wallet)
    const sessions = await api.ask(sessionList, {})
    expect(sessions).toMatchObject([
      {
        current: true,
        device: { kind: 'program', browser: 'Node.js' },
        place: { kind: 'thisMachine' },
        ip: '127.0.0.1',
      },
      { current: false, device: { kind: 'phone', browser: 'Chrome', system: 'Android' } },
    ])
    const rows = await app.db
      .selectFrom('sessions')
      .selectAll()
      .where('userid', '=', accountOfDid(wallet.did).$notNull())
      .execute()
    expect(JSON.stringify([sessions, rows])).not.toContain('Pixel')
    expect(JSON.stringify(sessions)).not.toContain(rows[0]?.token_hash)
  })

  test('holds only what is not over, and only one’s own', async () => {
    const wallet = createScriptedWallet()
    const gone = await signIn(wallet)
    const api = await signIn(wallet)
    await signIn()
    await gone.ask(logout, {})
    expect(await api.ask(sessionList, {})).toHaveLength(1)
  })

  test('is published in every process when there is one more', async () => {
    const wallet = createScriptedWallet()
    const { credentials = { userid: '', token: '' } } = await signIn(wallet)
    await using stream = await openChangeStream(second.origin, credentials)
    await signIn(wallet, phone)
    await until('the new session is published', () => stream.events.some(({ topic }) => topic === 'account'))
  })

  test('says when each was last seen, written down once a minute', async () => {
    onTestFinished(() => app.clock.follow())
    app.clock.set(new Date())
    const api = await signIn()
    const seenAt = async () => {
      const row = app.db
        .selectFrom('sessions')
        .select('last_seen_at')
        .where('userid', '=', accountOfDid(api.credentials?.userid ?? '').$notNull())
      return (await row.executeTakeFirstOrThrow()).last_seen_at.getTime()
    }
    const begun = await seenAt()
    app.clock.advance(59_000)
    await api.ask(userInfo, {})
    expect(await seenAt()).toBe(begun)
    app.clock.advance(1000)
    await api.ask(userInfo, {})
    expect(await seenAt()).toBe(begun + 60_000)
  })
})

test('a request that is noted late does not take back what a newer one said', async () => {
  const api = await signIn()
  const id = await currentId(api)
  const now = app.clock.now().getTime()
  await touchSession(app.db, { id, ip: '198.51.100.2', at: new Date(now + 120_000) })
  await touchSession(app.db, { id, ip: '198.51.100.1', at: new Date(now + 60_000) })
  const row = await app.db.selectFrom('sessions').select(['ip', 'last_seen_at']).where('id', '=', id).executeTakeFirst()
  expect(row).toEqual({ ip: '198.51.100.2', last_seen_at: new Date(now + 120_000) })
})

describe('a revoked session', () => {
  test('is out at once in every process, and its streams are closed', async () => {
    const wallet = createScriptedWallet()
    const [here, lost] = [await signIn(wallet), await signIn(wallet)]
    const session = lost.credentials ?? { userid: '', token: '' }
    const streams = await Promise.all([app, second].map(({ origin }) => openChangeStream(origin, session)))
    await here.ask(sessionRevoke, { id: await currentId(lost) })
    for (const { origin } of [app, second])
      expect((await createApiClient(origin, session).send(userInfo, {})).code).toBe(codes.signedOut)
    expect(await Promise.all(streams.map((stream) => stream.ended))).toEqual([undefined, undefined])
    for (const stream of streams) expect(stream.events.at(-1)).toMatchObject({ topic: 'session' })
    expect((await here.send(userInfo, {})).code).toBe(codes.ok)
  })

  test('of somebody else, or of nobody, is the same answer and changes nothing', async () => {
    const [mine, theirs] = [await signIn(), await signIn()]
    const answers = [
      await mine.send(sessionRevoke, { id: await currentId(theirs) }),
      await mine.send(sessionRevoke, { id: 'ss_aaaaaaaaaaaaaaaaaaaa' }),
    ]
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.code).toBe(codes.notFound)
    expect((await theirs.send(userInfo, {})).code).toBe(codes.ok)
  })

  test('may be this one', async () => {
    const api = await signIn()
    await api.ask(sessionRevoke, { id: await currentId(api) })
    expect((await api.send(userInfo, {})).code).toBe(codes.signedOut)
  })
})

test('all others are revoked at once, this one and other accounts stay', async () => {
  const wallet = createScriptedWallet()
  const [here, ...others] = [await signIn(wallet), await signIn(wallet), await signIn(wallet)]
  const stranger = await signIn()
  expect(await here?.ask(sessionRevokeAll, {})).toEqual({ revoked: 2 })
  expect(await here?.ask(sessionRevokeAll, {})).toEqual({ revoked: 0 })
  for (const api of others) expect((await api.send(userInfo, {})).code).toBe(codes.signedOut)
  for (const api of [here, stranger])
    await until('the others stay', async () => (await api?.send(userInfo, {}))?.code === codes.ok)
})

import { createHash } from 'node:crypto'
import type { ErrorKey } from '@atoll/contract/api'
import type { Locale } from '@atoll/contract/wire'
import { identityFromPrivateKey, type Identity as Keys, signJws } from '@atoll/did'
import { createTestClock } from '@atoll/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { createIdentity } from '../identity/index.ts'
import { authenticate, endSession, removeExpiredSessions } from './session-service.ts'
import { takeSession, testAccountsConfig } from './sign-in.fixture.ts'
import { approveSignIn, forgettableBefore, openSignIn, type SignInDeps, takeSignIn } from './sign-in-service.ts'
import { deleteCodesBefore } from './stores/sign-in-code-store.ts'

const minute = 60_000
const clock = createTestClock(new Date('2026-06-01T12:00:00Z'))
const database = useDatabase()
let deps: SignInDeps
let serial = 0

beforeAll(async () => {
  const { db } = database
  const identity = createIdentity({ db, clock, config: { nameDomains: ['atoll.test'], product: 'Atoll' } })
  deps = { db, clock, identity, config: testAccountsConfig, quotaOfPlan: () => 16, isAccessLimited: async () => false }
})

/** A key and a secret that no other test has. */
function newKeys(): Keys {
  serial += 1
  return identityFromPrivateKey(createHash('sha256').update(`key ${serial}`).digest())
}
function newSecret(): string {
  serial += 1
  return createHash('md5').update(`secret ${serial}`).digest('hex')
}

async function approve(keys: Keys, secret: string, claims: Record<string, unknown> = {}): Promise<void> {
  const seconds = Math.floor(clock.now().getTime() / 1000)
  const times = { time: clock.now().getTime(), nbf: seconds, exp: seconds + 365 * 24 * 3600 }
  const jws = await signJws({ secret, ...times, iss: keys.kid, ...claims }, keys)
  await approveSignIn(deps, { jws, locale: 'en-US', ip: '127.0.0.1' })
}

async function outcome(work: Promise<unknown>): Promise<ErrorKey | 'accepted'> {
  try {
    await work
    return 'accepted'
  } catch (error) {
    if (error instanceof Refusal) return error.key
    throw error
  }
}

describe('a sign-in code', () => {
  test('gives a session once approved, exactly once, with a token that is not stored', async () => {
    const keys = newKeys()
    const secret = newSecret()
    expect(await takeSession(deps, secret)).toBeUndefined()
    await approve(keys, secret)
    const signedIn = await takeSession(deps, secret)
    expect(signedIn).toMatchObject({ userid: keys.did, terminusName: null, planLevelStr: 'Free', vCpuQuota: 16 })
    expect(signedIn?.expired).toBe(clock.now().getTime() + deps.config.sessionMs)
    expect(Buffer.from(signedIn?.token ?? '', 'base64url')).toHaveLength(32)
    expect(await takeSession(deps, secret)).toBeUndefined()

    const rows = JSON.stringify([
      await database.db.selectFrom('sessions').selectAll().execute(),
      await database.db.selectFrom('sign_in_codes').selectAll().execute(),
    ])
    expect(rows).not.toContain(signedIn?.token)
    expect(rows).not.toContain(secret)
  })

  test('fixes what the account pays in when its first session is handed out, and never again', async () => {
    const keys = newKeys()
    const market = async () =>
      await database.db
        .selectFrom('accounts')
        .select(['currency', 'zone'])
        .where('did', '=', keys.did)
        .executeTakeFirstOrThrow()
    const signIn = async (locale: Locale) => {
      const secret = newSecret()
      await approve(keys, secret)
      const seen = await market()
      await takeSignIn(deps, { secret, userAgent: 'node', ip: '127.0.0.1', host: 'console.atoll.test', locale })
      return seen
    }
    expect(await signIn('zh-CN')).toEqual({ currency: null, zone: null })
    expect(await market()).toEqual({ currency: 'cny', zone: 'UTC+8' })
    await signIn('en-US')
    expect(await market()).toEqual({ currency: 'cny', zone: 'UTC+8' })
  })

  test('given to a hundred polls at once reaches one of them', async () => {
    const secret = newSecret()
    await approve(newKeys(), secret)
    const answers = await Promise.all(Array.from({ length: 100 }, () => takeSession(deps, secret)))
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1)
  })

  test('approved by ten phones at once belongs to one of them, and the others are refused', async () => {
    const phones = Array.from({ length: 10 }, newKeys)
    const secret = newSecret()
    const outcomes = await Promise.all(phones.map((phone) => outcome(approve(phone, secret))))
    expect(outcomes.filter((one) => one === 'accepted')).toHaveLength(1)
    expect(outcomes.filter((one) => one === 'codeUsed')).toHaveLength(9)
    const winner = phones[outcomes.indexOf('accepted')]
    expect((await takeSession(deps, secret))?.userid).toBe(winner?.did)
  })

  test('is refused a second time: before it is taken, after, and after the session was ended', async () => {
    const keys = newKeys()
    const secret = newSecret()
    await approve(keys, secret)
    expect(await outcome(approve(keys, secret))).toBe('codeUsed')
    const signedIn = await takeSession(deps, secret)
    expect(await outcome(approve(keys, secret))).toBe('codeUsed')
    const caller = await authenticate(deps, keys.did, signedIn?.token ?? '', '127.0.0.1')
    await endSession(deps, { ...caller, ip: '127.0.0.1' })
    expect(await outcome(approve(keys, secret))).toBe('codeUsed')
  })

  test('cannot be replayed however the housekeeping falls', async () => {
    const keys = newKeys()
    const secret = newSecret()
    // The furthest a signature can reach: shown by a clock 30 s ahead.
    const time = clock.now().getTime() + 30_000
    const seconds = Math.floor(time / 1000)
    const jws = await signJws({ secret, time, nbf: seconds - 30, exp: seconds + 9999, iss: keys.kid }, keys)
    const replay = () => outcome(approveSignIn(deps, { jws, locale: 'en-US', ip: '127.0.0.1' }))
    expect(await replay()).toBe('accepted')
    for (let elapsed = 0; elapsed < 10 * minute; elapsed += 15_000) {
      await deleteCodesBefore(deps.db, forgettableBefore(clock.now()))
      expect(['codeUsed', 'codeExpired']).toContain(await replay())
      clock.advance(15_000)
    }
    expect(await replay()).toBe('codeExpired')
  })

  test('is good for longer in the browser that shows it, where a newcomer sets the wallet up first', async () => {
    const secret = newSecret()
    const time = clock.now().getTime()
    await openSignIn(deps, { secret, browser: 'b'.repeat(64), cookie: 'this browser' })
    const answer = async (cookie: string | undefined) => {
      const keys = newKeys()
      const seconds = Math.floor(clock.now().getTime() / 1000)
      const jws = await signJws({ secret, time, nbf: seconds - 30, exp: seconds + 9999, iss: keys.kid }, keys)
      return await outcome(approveSignIn(deps, { jws, locale: 'en-US', ip: '127.0.0.1', cookie }))
    }
    clock.advance(14 * minute)
    await deleteCodesBefore(deps.db, forgettableBefore(clock.now()))
    expect(await answer(undefined)).toBe('codeExpired')
    expect(await answer('another browser')).toBe('codeExpired')
    expect(await answer('this browser')).toBe('accepted')
    clock.advance(2 * minute)
    expect(await answer('this browser')).toBe('codeExpired')
  })

  test('that nobody takes in time gives nothing', async () => {
    const secret = newSecret()
    await approve(newKeys(), secret)
    clock.advance(151_000)
    expect(await takeSession(deps, secret)).toBeUndefined()
  })

  test.each([
    ['shown 149 s ago', -149_000, 'accepted'],
    ['shown 151 s ago', -151_000, 'codeExpired'],
    ['shown 10 min ago', -10 * minute, 'codeExpired'],
    ['shown by a clock 29 s ahead', 29_000, 'accepted'],
    ['shown by a clock 31 s ahead', 31_000, 'codeFromFuture'],
    ['shown by a clock 10 min ahead', 10 * minute, 'codeFromFuture'],
  ])('%s', async (_, shift, expected) => {
    expect(await outcome(approve(newKeys(), newSecret(), { time: clock.now().getTime() + shift }))).toBe(expected)
  })

  test('reports by how many minutes a clock is off', async () => {
    const tenAhead = Math.floor(clock.now().getTime() / 1000) + 600
    await expect(approve(newKeys(), newSecret(), { nbf: tenAhead })).rejects.toMatchObject({
      key: 'clockAhead',
      params: { minutes: 10 },
    })
    const time = clock.now().getTime() + 10 * minute
    await expect(approve(newKeys(), newSecret(), { time })).rejects.toMatchObject({
      key: 'codeFromFuture',
      params: { minutes: 10 },
    })
  })

  test('for a known account is refused to another, by its name or its shortened DID', async () => {
    const asked = newKeys()
    const other = newKeys()
    await expect(approve(other, newSecret(), { did: asked.did })).rejects.toMatchObject({
      key: 'otherDidExpected',
      params: { did: `${asked.did.slice(0, 30)}...` },
    })
    expect(await outcome(approve(asked, newSecret(), { did: asked.did }))).toBe('accepted')
  })
})

describe('a session', () => {
  async function signIn(keys: Keys = newKeys()) {
    const secret = newSecret()
    await approve(keys, secret)
    const signedIn = await takeSession(deps, secret)
    if (!signedIn) throw new Error('no session was given')
    return signedIn
  }

  test('is known by its token until it ends', async () => {
    const { userid, token, expired } = await signIn()
    const session = await authenticate(deps, userid, token, '127.0.0.1')
    const { sessionId, expiresAt } = session
    expect(sessionId).toMatch(/^ss_/)
    expect(expiresAt.getTime()).toBe(expired)
    await endSession(deps, { ...session, ip: '127.0.0.1' })
    await endSession(deps, { ...session, ip: '127.0.0.1' })
    expect(await outcome(authenticate(deps, userid, token, '127.0.0.1'))).toBe('signedOut')
  })

  test('is nothing to another DID, a changed token, or odd text', async () => {
    const { userid, token } = await signIn()
    const other = await signIn()
    const changed = (token[0] === 'A' ? 'B' : 'A') + token.slice(1)
    for (const [who, what] of [
      [other.userid, token],
      [userid, other.token],
      [userid, changed],
      [userid, ''],
      ['', token],
      [`${userid}\0`, token],
      [userid, `${token}\0`],
      [userid, 'é'.repeat(5000)],
      [userid.toUpperCase(), token],
    ] as const) {
      expect(await outcome(authenticate(deps, who, what, '127.0.0.1'))).toBe('signedOut')
    }
    expect(await outcome(authenticate(deps, userid, token, '127.0.0.1'))).toBe('accepted')
  })

  test('ends at its time to the millisecond, and the sweep removes it a week later', async () => {
    const old = await signIn()
    clock.advance(1)
    const young = await signIn(newKeys())
    clock.advance(deps.config.sessionMs - 2)
    expect(await outcome(authenticate(deps, old.userid, old.token, '127.0.0.1'))).toBe('accepted')
    clock.advance(1)
    expect(await outcome(authenticate(deps, old.userid, old.token, '127.0.0.1'))).toBe('signedOut')
    expect(await outcome(authenticate(deps, young.userid, young.token, '127.0.0.1'))).toBe('accepted')
    // Its row stays a week: should the clock have been wrong, the token works again.
    clock.advance(7 * 24 * 60 * 60_000 - 2)
    await removeExpiredSessions(deps)
    clock.advance(-7 * 24 * 60 * 60_000)
    expect(await outcome(authenticate(deps, old.userid, old.token, '127.0.0.1'))).toBe('accepted')
    clock.advance(7 * 24 * 60 * 60_000 + 2)
    expect(await removeExpiredSessions(deps)).toBeGreaterThan(0)
    expect(await removeExpiredSessions(deps)).toBe(0)
  })

  test('of one browser does not end another’s', async () => {
    const keys = newKeys()
    const phone = await signIn(keys)
    const laptop = await signIn(keys)
    const caller = await authenticate(deps, keys.did, phone.token, '127.0.0.1')
    await endSession(deps, { ...caller, ip: '127.0.0.1' })
    expect(await outcome(authenticate(deps, keys.did, laptop.token, '127.0.0.1'))).toBe('accepted')
  })

  test('cannot be ended by someone else', async () => {
    const mine = await signIn()
    const { sessionId } = await authenticate(deps, mine.userid, mine.token, '127.0.0.1')
    const other = await signIn(newKeys())
    const caller = await authenticate(deps, other.userid, other.token, '127.0.0.1')
    await endSession(deps, { ...caller, sessionId, ip: '127.0.0.1' })
    expect(await outcome(authenticate(deps, mine.userid, mine.token, '127.0.0.1'))).toBe('accepted')
  })
})

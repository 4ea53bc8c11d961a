/**
 * Sign-in against a model: random sequences of pages showing codes, phones approving with the right number, a wrong
 * one or none, browsers asking with and without their key, time passing and housekeeping, on the real tables, compared
 * step by step with what should happen.
 */
import { createHash } from 'node:crypto'
import type { ErrorKey } from '@atoll/contract/api'
import { identityFromPrivateKey, signJws } from '@atoll/did'
import { createTestClock, createTestDatabase } from '@atoll/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDatabase } from '../../platform/db/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { createIdentity } from '../identity/index.ts'
import { authenticate, removeExpiredSessions } from './session-service.ts'
import { testAccountsConfig } from './sign-in.fixture.ts'
import { approveSignIn, forgettableBefore, openSignIn, type SignInDeps, takeSignIn } from './sign-in-service.ts'
import { deleteCodesBefore } from './stores/sign-in-code-store.ts'

const usableMs = 150_000
const sessionMs = 600_000

type Step =
  | { kind: 'open'; code: number; browser: number }
  | { kind: 'approve'; phone: number; code: number; number: 'none' | 'right' | 'wrong' }
  | { kind: 'take'; code: number; browser: number | undefined }
  | { kind: 'wait'; ms: number }
  | { kind: 'sweep' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), code: fc.nat(3), browser: fc.nat(1) }),
  fc.record({
    kind: fc.constant('approve' as const),
    phone: fc.nat(2),
    code: fc.nat(3),
    number: fc.constantFrom('none' as const, 'right' as const, 'wrong' as const),
  }),
  fc.record({ kind: fc.constant('take' as const), code: fc.nat(3), browser: fc.option(fc.nat(1), { nil: undefined }) }),
  fc.record({
    kind: fc.constant('wait' as const),
    ms: fc.constantFrom(1000, 29_999, 60_000, 149_999, 150_001, 300_000),
  }),
  fc.record({ kind: fc.constant('sweep' as const) }),
)

interface CodeModel {
  shownAt: number
  /** Which browser showed it first, with the number it was given. */
  opened?: { by: number; number: string }
  isBurnt: boolean
  /** When something last happened to it, for the housekeeping. */
  changedAt?: number
  approved?: { by: number; at: number }
  isTaken: boolean
}

test('whatever happens in whatever order, each code gives at most one session, to the phone that approved it', async () => {
  await using testDatabase = await createTestDatabase()
  const { db, close } = createDatabase({ connectionString: testDatabase.url })
  const clock = createTestClock(new Date('2026-06-01T00:00:00Z'))
  const identity = createIdentity({ db, clock, config: { nameDomains: ['atoll.test'], product: 'Atoll' } })
  const config = { ...testAccountsConfig, sessionMs }
  const deps: SignInDeps = { db, clock, identity, config, quotaOfPlan: () => 16, isAccessLimited: async () => false }
  const phones = [1, 2, 3].map((seed) => identityFromPrivateKey(new Uint8Array(32).fill(seed)))
  let run = 0

  /** Runs `steps` on fresh codes that are all shown now. */
  async function play(steps: Step[]): Promise<void> {
    run += 1
    const secrets = [0, 1, 2, 3].map((code) => createHash('md5').update(`${run} ${code}`).digest('hex'))
    const now = () => clock.now().getTime()
    const model: CodeModel[] = secrets.map(() => ({ shownAt: now(), isTaken: false, isBurnt: false }))
    const browsers = [0, 1].map((browser) => createHash('sha256').update(`${run} ${browser}`).digest('hex'))
    const sessions: { by: number; token: string; until: number }[] = []

    function expectedOutcome(code: CodeModel, number: 'none' | 'right' | 'wrong'): ErrorKey | 'accepted' {
      if (now() - code.shownAt > usableMs) return 'codeExpired'
      if (code.isBurnt) return 'codeBurnt'
      if (code.approved) return 'codeUsed'
      if (number === 'none') return 'accepted'
      if (!code.opened) return 'matchNumberUnknown'
      return number === 'right' ? 'accepted' : 'matchNumberWrong'
    }

    for (const step of steps) {
      if (step.kind === 'wait') clock.advance(step.ms)
      if (step.kind === 'sweep') {
        await removeExpiredSessions(deps)
        const before = forgettableBefore(clock.now())
        await deleteCodesBefore(db, before)
        for (const [at, code] of model.entries()) {
          const isForgotten = code.changedAt !== undefined && code.changedAt < before.getTime()
          if (isForgotten) model[at] = { shownAt: code.shownAt, isTaken: false, isBurnt: false }
        }
      }
      if (step.kind === 'open') {
        const [code, secret] = [model[step.code], secrets[step.code]]
        if (!code || !secret) throw new Error('the step names what does not exist')
        const opening = openSignIn(deps, { secret, browser: browsers[step.browser] ?? '', cookie: undefined })
        if (code.opened && code.opened.by !== step.browser) expect(await outcome(opening)).toBe('codeOfOtherBrowser')
        else {
          const number = await opening
          if (code.opened) expect(number).toBe(code.opened.number)
          // One that a wallet approved before it was shown stays as it was.
          else if (!code.approved) {
            code.opened = { by: step.browser, number }
            code.changedAt = now()
          }
        }
      }
      if (step.kind === 'approve') {
        const [code, phone, secret] = [model[step.code], phones[step.phone], secrets[step.code]]
        if (!code || !phone || !secret) throw new Error('the step names what does not exist')
        const right = code.opened?.number ?? '47'
        const match = { none: undefined, right, wrong: String(109 - Number(right)).slice(-2) }[step.number]
        const expected = expectedOutcome(code, step.number)
        const claims = { secret, time: code.shownAt, iss: phone.kid, exp: Math.floor(now() / 1000) + 3600 }
        const jws = await signJws(claims, phone, match === undefined ? {} : { match })
        expect(await outcome(approveSignIn(deps, { jws, locale: 'en-US', ip: '127.0.0.1' }))).toBe(expected)
        if (expected === 'accepted') code.approved = { by: step.phone, at: now() }
        if (expected === 'matchNumberWrong') code.isBurnt = true
        if (expected === 'accepted' || expected === 'matchNumberWrong') code.changedAt = now()
      }
      if (step.kind === 'take') {
        const [code, secret] = [model[step.code], secrets[step.code]]
        if (!code || !secret) throw new Error('the step names what does not exist')
        const browser = step.browser === undefined ? undefined : browsers[step.browser]
        const taking = takeSignIn(deps, {
          secret,
          browser,
          userAgent: '',
          ip: '127.0.0.1',
          host: '127.0.0.1',
          locale: 'en-US',
        })
        if (code.opened && code.opened.by !== step.browser) expect(await outcome(taking)).toBe('codeOfOtherBrowser')
        else {
          const answer = await taking
          const isDue = code.approved !== undefined && !code.isTaken && now() - code.approved.at < usableMs
          const signedIn = 'userid' in answer ? answer : undefined
          expect(signedIn?.userid).toBe(isDue && code.approved ? phones[code.approved.by]?.did : undefined)
          if (!signedIn) expect(answer).toEqual(code.isBurnt ? { refused: 'wrongNumber' } : {})
          if (signedIn && code.approved) {
            code.isTaken = true
            sessions.push({ by: code.approved.by, token: signedIn.token, until: signedIn.expired })
          }
        }
      }
      for (const session of sessions) {
        const expected = now() < session.until ? 'accepted' : 'signedOut'
        expect(await outcome(authenticate(deps, phones[session.by]?.did ?? '', session.token, ''))).toBe(expected)
      }
    }
  }

  try {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), play), { numRuns: 120 })
  } finally {
    await close()
  }
})

async function outcome(work: Promise<unknown>): Promise<ErrorKey | 'accepted'> {
  try {
    await work
    return 'accepted'
  } catch (error) {
    if (error instanceof Refusal) return error.key
    throw error
  }
}

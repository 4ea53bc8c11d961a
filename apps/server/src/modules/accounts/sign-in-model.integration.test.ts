/**
 * Sign-in against a model: random sequences of phones approving, browsers asking, time passing and housekeeping, on
 * the real tables, compared step by step with what the wire says should happen.
 */
import { createHash } from 'node:crypto'
import type { ErrorKey } from '@atoll/contract'
import { identityFromPrivateKey, signJws } from '@atoll/did'
import { createTestClock, createTestDatabase } from '@atoll/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../http/refusal.ts'
import { createDatabase } from '../../platform/db/index.ts'
import { createIdentity } from '../identity/index.ts'
import { authenticate, removeExpiredSessions } from './session-service.ts'
import { deleteCodesBefore } from './sign-in-code-store.ts'
import { approveSignIn, forgettableBefore, type SignInDeps, takeSignIn } from './sign-in-service.ts'

const usableMs = 150_000
const sessionMs = 600_000

type Step =
  | { kind: 'approve'; phone: number; code: number }
  | { kind: 'take'; code: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'sweep' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('approve' as const), phone: fc.nat(2), code: fc.nat(3) }),
  fc.record({ kind: fc.constant('take' as const), code: fc.nat(3) }),
  fc.record({
    kind: fc.constant('wait' as const),
    ms: fc.constantFrom(1000, 29_999, 60_000, 149_999, 150_001, 300_000),
  }),
  fc.record({ kind: fc.constant('sweep' as const) }),
)

interface CodeModel {
  shownAt: number
  approved?: { by: number; at: number }
  isTaken: boolean
}

test('whatever happens in whatever order, each code gives at most one session, to the phone that approved it', async () => {
  await using testDatabase = await createTestDatabase()
  const { db, close } = createDatabase({ connectionString: testDatabase.url })
  const clock = createTestClock(new Date('2026-06-01T00:00:00Z'))
  const identity = createIdentity({ db, clock, config: { nameDomains: ['atoll.test'], product: 'Atoll' } })
  const deps: SignInDeps = { db, clock, identity, config: { sessionMs, canCreateCluster: true, vCpuQuota: 16 } }
  const phones = [1, 2, 3].map((seed) => identityFromPrivateKey(new Uint8Array(32).fill(seed)))
  let run = 0

  /** Runs `steps` on fresh codes that are all shown now. */
  async function play(steps: Step[]): Promise<void> {
    run += 1
    const secrets = [0, 1, 2, 3].map((code) => createHash('md5').update(`${run} ${code}`).digest('hex'))
    const now = () => clock.now().getTime()
    const model: CodeModel[] = secrets.map(() => ({ shownAt: now(), isTaken: false }))
    const sessions: { by: number; token: string; until: number }[] = []

    for (const step of steps) {
      if (step.kind === 'wait') clock.advance(step.ms)
      if (step.kind === 'sweep') {
        await removeExpiredSessions(deps)
        await deleteCodesBefore(db, forgettableBefore(clock.now()))
      }
      if (step.kind === 'approve') {
        const [code, phone, secret] = [model[step.code], phones[step.phone], secrets[step.code]]
        if (!code || !phone || !secret) throw new Error('the step names what does not exist')
        const isLate = now() - code.shownAt > usableMs
        const expected: ErrorKey | 'accepted' = isLate ? 'codeExpired' : code.approved ? 'codeUsed' : 'accepted'
        const claims = { secret, time: code.shownAt, iss: phone.kid, exp: Math.floor(now() / 1000) + 3600 }
        const jws = await signJws(claims, phone)
        expect(await outcome(approveSignIn(deps, { jws, signer: phone.did, locale: 'en-US' }))).toBe(expected)
        if (expected === 'accepted') code.approved = { by: step.phone, at: now() }
      }
      if (step.kind === 'take') {
        const [code, secret] = [model[step.code], secrets[step.code]]
        if (!code || !secret) throw new Error('the step names what does not exist')
        const isDue = code.approved !== undefined && !code.isTaken && now() - code.approved.at < usableMs
        const signedIn = await takeSignIn(deps, secret)
        expect(signedIn?.userid).toBe(isDue && code.approved ? phones[code.approved.by]?.did : undefined)
        if (signedIn && code.approved) {
          code.isTaken = true
          sessions.push({ by: code.approved.by, token: signedIn.token, until: signedIn.expired })
        }
      }
      for (const session of sessions) {
        const expected = now() < session.until ? 'accepted' : 'signedOut'
        expect(await outcome(authenticate(deps, phones[session.by]?.did ?? '', session.token))).toBe(expected)
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

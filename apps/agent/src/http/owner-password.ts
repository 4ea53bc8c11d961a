/** The owner's password, shown to sign in and for what outlasts a session: tries of both are bounded together. */
import type { IncomingMessage } from 'node:http'
import { deviceOf } from '@atoll/contract/device-of'
import type { SignInPlace } from '@atoll/contract/personal-server'
import { matchesPassword } from '../activation/password-hash.ts'
import { createTries } from '../activation/tries.ts'
import { HttpProblem } from '../kernel/problem.ts'
import type { StateStore } from '../kernel/state-store.ts'
import { type Exchange, unknownVisitor } from './exchange.ts'
import { findKnownBrowser } from './known-browsers.ts'
import type { SignInHistory } from './sign-in-history.ts'

export type OwnerPassword = ReturnType<typeof createOwnerPassword>

export function createOwnerPassword({ store, history }: { store: StateStore; history: SignInHistory }) {
  const tries = createTries({ perVisitor: 10, overall: 100, windowMs: 15 * 60_000 })

  /**
   * The stored hash that `password` matches; `name`: typed with it, where nobody is signed in yet. 403 wrongPassword ·
   * 429 tooManyTries · 409 notActive.
   */
  async function check({ req, visitor }: Exchange, password: string, name = ownerName(store)): Promise<string> {
    const { account } = store.current
    if (!account) throw new HttpProblem(409, 'notActive', 'This server is not active yet.')
    const known = findKnownBrowser(req, account.passwordHash)
    const tried = known ?? visitor
    tries.begin(tried, known !== undefined)
    // The hash is computed for a wrong name too: the time must not reveal which of the two was wrong.
    const isRight = await matchesPassword(password, account.passwordHash)
    if (!isRight || !isOwner(name, ownerName(store))) {
      await history.note('wrongPassword', placeOf(req, visitor))
      throw new HttpProblem(403, 'wrongPassword', 'The name or the password is wrong.')
    }
    tries.succeed(tried, known !== undefined)
    return account.passwordHash
  }

  return { check }
}

export function placeOf(req: IncomingMessage, visitor: string): SignInPlace {
  return { device: deviceOf(req.headers['user-agent'] ?? ''), network: visitor === unknownVisitor ? null : visitor }
}

export function ownerName(store: StateStore): string {
  return store.current.config?.owner.terminusName ?? ''
}

/** `reef@atoll.test` may be typed whole, or as `reef`; case does not matter in names. */
export function isOwner(typed: string, owner: string): boolean {
  const name = typed.trim().toLowerCase()
  return owner !== '' && (name === owner.toLowerCase() || name === owner.toLowerCase().split('@')[0])
}

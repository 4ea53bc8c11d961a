/** Accounts and their sessions: signing in by code, who a request comes from, what an account may use. */
import type { User } from '@atoll/contract'
import type { Route } from '../../http/route.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { getLimits, getUser, type Limits, lockLimits } from './account-service.ts'
import { sessionSweep } from './jobs/session-sweep.ts'
import { sessionEnd } from './routes/session-end.ts'
import { signInApprove } from './routes/sign-in-approve.ts'
import { signInTake } from './routes/sign-in-take.ts'
import { userShow } from './routes/user-show.ts'
import { type Authenticated, authenticate } from './session-service.ts'
import type { SignInDeps } from './sign-in-service.ts'

export type { Limits } from './account-service.ts'
export type { Authenticated } from './session-service.ts'

export type AccountsDeps = SignInDeps

export interface Accounts {
  routes: Route[]
  jobs: Job[]
  /** Who a request with these credentials comes from; refuses with `signedOut`. */
  authenticate(userid: string, token: string): Promise<Authenticated>
  /** The account as clients see it. */
  getUser(db: Db, userid: string): Promise<User>
  getLimits(db: Db, userid: string): Promise<Limits>
  /** The limits with the account's row locked until `trx` ends: what two orders at the same instant are decided under. */
  lockLimits(trx: Trx, userid: string): Promise<Limits>
}

export function createAccounts(deps: AccountsDeps): Accounts {
  return {
    routes: [signInApprove(deps), signInTake(deps), userShow(deps), sessionEnd(deps)],
    jobs: [sessionSweep(deps)],
    authenticate: (userid, token) => authenticate(deps, userid, token),
    getUser,
    getLimits,
    lockLimits,
  }
}

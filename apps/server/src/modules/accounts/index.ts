/**
 * Accounts and their sessions: signing in by code, who a request comes from, what an account may use, email and
 * picture.
 */
import type { User } from '@atoll/contract/accounts'
import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../../http/route.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { getLimits, getUser, type Limits, lockLimits, putOnPlan } from './account-service.ts'
import type { AccountPlan } from './account-store.ts'
import { avatarPlugin } from './avatar/avatar-plugin.ts'
import type { AvatarDeps } from './avatar/avatar-service.ts'
import type { EmailDeps } from './email/email-service.ts'
import { sessionSweep } from './jobs/session-sweep.ts'
import { avatarClear } from './routes/avatar-clear.ts'
import { avatarUpload } from './routes/avatar-upload.ts'
import { codeDecline } from './routes/code-decline.ts'
import { codeOpen } from './routes/code-open.ts'
import { codeRead } from './routes/code-read.ts'
import { emailCodeForget } from './routes/email-code-forget.ts'
import { emailCodeSend } from './routes/email-code-send.ts'
import { emailCodeVerify } from './routes/email-code-verify.ts'
import { emailBindingShow } from './routes/email-show.ts'
import { emailUnbind } from './routes/email-unbind.ts'
import { sessionEnd } from './routes/session-end.ts'
import { sessionRevokeOne } from './routes/session-revoke.ts'
import { sessionRevokeOthers } from './routes/session-revoke-others.ts'
import { sessionShow } from './routes/session-show.ts'
import { signInApprove } from './routes/sign-in-approve.ts'
import { signInTake } from './routes/sign-in-take.ts'
import { userShow } from './routes/user-show.ts'
import { type Authenticated, authenticate } from './session-service.ts'
import type { SignInDeps } from './sign-in-service.ts'

export {
  getUserid,
  listOperatedAccounts,
  lockOperated,
  type OperatedAccount,
  setMayCreate,
  setQuota,
  setRole,
} from './account-admin.ts'
export { accountNow } from './account-now.ts'
export type { Limits } from './account-service.ts'
export { getLocale, insertAccount } from './account-store.ts'
export { findAddressee } from './addressee.ts'
export { normaliseEmail } from './email/email-address.ts'

export type AccountsDeps = SignInDeps & EmailDeps & AvatarDeps

export interface Accounts {
  routes: Route[]
  /** Where pictures are served. */
  plugin: FastifyPluginAsync
  jobs: Job[]
  /** Who a request with these credentials comes from, last seen at `ip`; refuses with `signedOut`. */
  authenticate(userid: string, token: string, ip: string): Promise<Authenticated>
  /** The account as clients see it. */
  getUser(db: Db, userid: string): Promise<User>
  getLimits(db: Db, userid: string): Promise<Limits>
  /**
   * The limits with the account's row locked until `trx` ends: what two orders at the same instant are decided under.
   */
  lockLimits(trx: Trx, userid: string): Promise<Limits>
  /** Puts an account on a plan; what it may use follows. Under its lock. */
  putOnPlan(trx: Trx, userid: string, plan: AccountPlan): Promise<void>
}

export function createAccounts(deps: AccountsDeps): Accounts {
  return {
    routes: [
      codeOpen(deps),
      codeRead(deps),
      codeDecline(deps),
      signInApprove(deps),
      signInTake(deps),
      userShow(deps),
      sessionEnd(deps),
      sessionShow(deps),
      sessionRevokeOne(deps),
      sessionRevokeOthers(deps),
      emailBindingShow(deps),
      emailCodeSend(deps),
      emailCodeVerify(deps),
      emailCodeForget(deps),
      emailUnbind(deps),
      avatarUpload(deps),
      avatarClear(deps),
    ],
    plugin: avatarPlugin(deps),
    jobs: [sessionSweep(deps)],
    authenticate: (userid, token, ip) => authenticate(deps, userid, token, ip),
    getUser: (db, userid) => getUser(deps, db, userid),
    getLimits: (db, userid) => getLimits(deps.quotaOfPlan, db, userid),
    lockLimits: (trx, userid) => lockLimits(deps.quotaOfPlan, trx, userid),
    putOnPlan,
  }
}

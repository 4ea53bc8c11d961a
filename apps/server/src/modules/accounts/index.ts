/**
 * Accounts and their sessions: signing in by code, who a request comes from, what an account may use, email and
 * picture.
 */
import type { User } from '@atoll/contract/accounts'
import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../../http/route.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { getLimits, getUser, type Limits, lockLimits, putOnPlan, type QuotaOfPlan } from './account-service.ts'
import { avatarPlugin } from './avatar/avatar-plugin.ts'
import type { AvatarDeps } from './avatar/avatar-service.ts'
import type { EmailDeps } from './email/email-service.ts'
import { sessionSweep } from './jobs/session-sweep.ts'
import { accountRoutes } from './routes/account-routes.ts'
import { sessionRoutes } from './routes/session-routes.ts'
import { signInRoutes } from './routes/sign-in-routes.ts'
import { type Authenticated, authenticate } from './session-service.ts'
import type { SignInDeps } from './sign-in-service.ts'
import type { AccountPlan } from './stores/account-store.ts'
import { unsubscribePlugin } from './unsubscribe/unsubscribe-plugin.ts'

export {
  correctCurrency,
  getUserid,
  grantQuota,
  listOperatedAccounts,
  lockOperated,
  type OperatedAccount,
  setMayCreate,
  setMaySendMail,
  setQuota,
  setRole,
} from './account-admin.ts'
export { accountNow } from './account-now.ts'
export { getLimits, type Limits } from './account-service.ts'
export { findAddressee } from './addressee.ts'
export { mailboxKey, normaliseEmail } from './email/email-address.ts'
export { resetEmail } from './email/email-service.ts'
export { accountKeyMoves } from './key-moves.ts'
export { type Erase, personalColumns, personalRows } from './personal-columns.ts'
export { endAllSessions, listSignedIn, requireFreshSession } from './session-service.ts'
export { changeStaff, requireOperator } from './staff-service.ts'
export {
  accountOfDid,
  clockOffsetOf,
  didOfAccount,
  findAccountOfDid,
  findDid,
  findEmail,
  findName,
  getCreatedAt,
  getDid,
  getLocale,
  insertAccount,
  listPeople,
  maySendMail,
  moneyFactsOf,
  moveClockBy,
  namedAccounts,
  nameOf,
  zoneOf,
} from './stores/account-store.ts'
export { allowsLook, askConsent, findConsent, listAllowing } from './stores/consent-store.ts'
export {
  findHeldScope,
  findHoldsToDecide,
  type HoldRow,
  heldScopeOf,
  holdsJob,
  insertHold,
  isClosing,
  isHeld,
  listClosings,
  listHolds,
  listLivingHolds,
  listOverdueHolds,
  listStops,
  listSuspensions,
  lockHold,
  pausesBill,
  stoppedUntil,
  toHold,
  updateHold,
} from './stores/hold-store.ts'
export { findStaffRole, staffMembers, staffRoleOf } from './stores/staff-store.ts'
export {
  accountNames,
  accountsLike,
  type CustomerNarrowing,
  customerAccounts,
  customerIds,
} from './stores/visit-store.ts'

export type AccountsDeps = SignInDeps & EmailDeps & AvatarDeps & { config: { product: string; publicUrl: string } }

export interface Accounts extends AccountLimits {
  routes: Route[]
  /** Where pictures are served, and where optional mails are ended. */
  plugin: FastifyPluginAsync
  jobs: Job[]
  /** The account and session of a request with these credentials, last seen at `ip`; refuses with `signedOut`. */
  authenticate(did: string, token: string, ip: string): Promise<Authenticated>
  /** The account as clients see it. */
  getUser(db: Db, userid: string): Promise<User>
}

/** The limits of accounts, by their plans. */
export interface AccountLimits {
  getLimits(db: Db, userid: string): Promise<Limits>
  /**
   * The limits with the account's row locked until `trx` ends: what two orders at the same instant are decided under.
   */
  lockLimits(trx: Trx, userid: string): Promise<Limits>
  /** Puts an account on a plan; what it may use follows. Under its lock. */
  putOnPlan(trx: Trx, userid: string, plan: AccountPlan): Promise<void>
}

/** Made before what is sold and charged by it; accounts are shown after that, because they say who is past due. */
export function createAccountLimits(quotaOfPlan: QuotaOfPlan): AccountLimits {
  return {
    getLimits: (db, userid) => getLimits(quotaOfPlan, db, userid),
    lockLimits: (trx, userid) => lockLimits(quotaOfPlan, trx, userid),
    putOnPlan,
  }
}

export function createAccounts(deps: AccountsDeps): Accounts {
  return {
    routes: [...signInRoutes(deps), ...sessionRoutes(deps), ...accountRoutes(deps)],
    plugin: async (app) => {
      await app.register(avatarPlugin(deps))
      await app.register(unsubscribePlugin(deps))
    },
    jobs: [sessionSweep(deps)],
    authenticate: (userid, token, ip) => authenticate(deps, userid, token, ip),
    getUser: (db, userid) => getUser(deps, db, userid),
    ...createAccountLimits(deps.quotaOfPlan),
  }
}

import type { FirstStep } from '@atoll/contract/accounts'
import { createAccountLimits, createAccounts, findAddressee } from '../modules/accounts/index.ts'
import { createAudit } from '../modules/audit/index.ts'
import { hasBackedUp } from '../modules/backups/index.ts'
import { isPastDue, printInvoice } from '../modules/billing/index.ts'
import { findClusterSteps } from '../modules/clusters/index.ts'
import { mayTakeName } from '../modules/domains/index.ts'
import { createIdentity } from '../modules/identity/index.ts'
import { createMail } from '../modules/mail/index.ts'
import { createNews } from '../modules/news/index.ts'
import { networkOf, visitorBits } from '../platform/network-of.ts'
import { takeScarce } from '../platform/rates/index.ts'
import { refuse } from '../platform/refusal.ts'
import type { Hooks } from './hooks.ts'
import type { Base, Modules } from './modules.ts'

/** Names, mails to people, and the limits of their plans. */
export function composePeople(base: Base, { nameBound }: Pick<Hooks, 'nameBound'>) {
  const { db, clock, config, sealer } = base
  const identity = createIdentity({
    db,
    clock,
    config,
    mayTakeName,
    async countShortName(ip) {
      const use = { pot: 'shortNames', network: networkOf(ip, visitorBits) } as const
      const seconds = await takeScarce(db, use, { now: clock.now(), factor: config.rateFactor })
      if (seconds > 0) refuse('tooManyRequests', { seconds })
    },
    onNameBound: nameBound.publish,
  })
  const mail = createMail({ db, clock, sealer, config, readInvoice: (of) => printInvoice({ db, clock, config }, of) })
  return { identity, mail, accountLimits: createAccountLimits((level) => quotaOfPlan(base, level)) }
}

/** Sign-in, and the log of people's acts. Made after `limits`, which says who may use less than their plan. */
export function composeAccounts(base: Base, { identity, mail, limits }: Pick<Modules, 'identity' | 'mail' | 'limits'>) {
  const { db, clock, config, sealer } = base
  const accounts = createAccounts({
    db,
    clock,
    identity,
    sealer,
    mail,
    config,
    quotaOfPlan: (level) => quotaOfPlan(base, level),
    isAccessLimited: async (from, userid) =>
      (await isPastDue(from, userid)) || (await limits.ofOwner(userid)).limitedUntil !== undefined,
  })
  return { accounts, audit: createAudit({ db, clock, sealer, authenticate: accounts.authenticate }) }
}

/** vCPU that an account on plan `level` may have; the operator's own figure where the catalogue has no such plan. */
export function quotaOfPlan({ catalog, config }: Base, level: number): number {
  return catalog.current().plans.find((plan) => plan.level === level)?.quotas.vCpu ?? config.vCpuQuota
}

/** Messages of the console to an account. */
export function composeNews({ db, clock }: Pick<Base, 'db' | 'clock'>) {
  return createNews({
    db,
    clock,
    async findDoneSteps(userid) {
      const [to, { created, activated }, backedUp] = await Promise.all([
        findAddressee(db, userid),
        findClusterSteps(db, userid),
        hasBackedUp(db, userid),
      ])
      const facts = { email: to !== undefined, create: created, activate: activated, backup: backedUp }
      const done = Object.entries(facts).flatMap(([step, isDone]) => (isDone ? [step as FirstStep] : [])) // its keys
      return new Set(done)
    },
  })
}

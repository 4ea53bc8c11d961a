import { createAccounts } from '../modules/accounts/index.ts'
import { createAudit, recordAudit } from '../modules/audit/index.ts'
import { isPastDue } from '../modules/billing/index.ts'
import { createIdentity } from '../modules/identity/index.ts'
import { createMail } from '../modules/mail/index.ts'
import { networkOf, visitorBits } from '../platform/network-of.ts'
import { takeScarce } from '../platform/rates/index.ts'
import { refuse } from '../platform/refusal.ts'
import type { Base, Modules } from './modules.ts'

/** Who signs in, what they are written, and what is recorded of what they do. */
export function composePeople(base: Base, modules: Modules): void {
  const { db, clock, config, sealer } = base
  modules.identity = createIdentity({
    db,
    clock,
    config,
    mayTakeName: (trx, request) => modules.domains.mayTakeName(trx, request),
    async countShortName(ip) {
      const use = { pot: 'shortNames', network: networkOf(ip, visitorBits) } as const
      const seconds = await takeScarce(db, use, { now: clock.now(), factor: config.rateFactor })
      if (seconds > 0) refuse('tooManyRequests', { seconds })
    },
    async onNameBound(trx, { did, name, ip }) {
      await recordAudit(trx, {
        // Bound by signature, from no session.
        actor: { userid: did, sessionId: null },
        ip,
        action: 'account.bindName',
        object: { kind: 'account', id: did, owner: did },
        before: { name: null },
        after: { name },
      })
      await modules.domains.onNameTaken(trx, { did, name })
    },
  })
  modules.mail = createMail({ db, clock, sealer, config })
  modules.accounts = createAccounts({
    db,
    clock,
    identity: modules.identity,
    sealer,
    mail: modules.mail,
    config,
    quotaOfPlan: (level) => quotaOfPlan(base, level),
    isAccessLimited: async (from, userid) =>
      (await isPastDue(from, userid)) || (await modules.limits.ofOwner(userid)).limitedUntil !== undefined,
  })
  modules.audit = createAudit({ db, clock, sealer, authenticate: modules.accounts.authenticate })
}

/** vCPU that an account on plan `level` may have; the operator's own figure where the catalogue has no such plan. */
export function quotaOfPlan({ catalog, config }: Base, level: number): number {
  return catalog.current().plans.find((plan) => plan.level === level)?.quotas.vCpu ?? config.vCpuQuota
}

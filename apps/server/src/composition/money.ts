import { type AccountLimits, accountNow } from '../modules/accounts/index.ts'
import { refreshConfig } from '../modules/agents/index.ts'
import {
  createBilling,
  enqueueAttempt,
  enqueueMovements,
  isCharging,
  keepIssuer,
  listDeclines,
  retryOwed,
} from '../modules/billing/index.ts'
import {
  findOwnCluster,
  listClusterOwners,
  listLivingClusterIds,
  listLivingInstanceIds,
  listOwners,
  listOwnInstances,
  wakeCluster,
} from '../modules/clusters/index.ts'
import { createPayments, listCards, openGateway } from '../modules/payments/index.ts'
import { createMeters, createTrafficLimits, forgetAllowance } from '../modules/usage/index.ts'
import type { ClockWatch } from '../platform/careful/index.ts'
import type { Base, Modules } from './modules.ts'
import { quotaOfPlan } from './people.ts'

/**
 * Selling, charging and metering. Made before clusters, which order through it: its own questions about clusters are
 * plain functions over their rows.
 */
export async function composeMoney(
  base: Base,
  { accountLimits, mail }: { accountLimits: AccountLimits } & Pick<Modules, 'mail'>,
  clockWatch: ClockWatch,
) {
  const { db, clock, config, log, catalog, sealer, feed } = base
  const opened = await openGateway({ db, clock, sealer, config })
  const { gateway } = opened
  const meters = createMeters({ clock })
  await keepIssuer(db, config.issuer, clock.now())
  const billing = createBilling({
    db,
    clock,
    sealer,
    catalog,
    accounts: {
      ...accountLimits,
      async putOnPlan(trx, userid, plan) {
        await accountLimits.putOnPlan(trx, userid, plan)
        await forgetAllowance(trx, userid)
      },
    },
    onCapSet: forgetAllowance,
    onStorageTurn: async (trx, userid) => refreshConfig(trx, await listLivingInstanceIds(trx, userid)),
    quotaOfPlan: (level) => quotaOfPlan(base, level),
    meters,
    cuts: meters,
    correctionDays: config.usageCorrectionDays,
    feed,
    mail,
    gateway,
    config,
    beforeDue: clockWatch.look,
    wakeCluster,
    findOwnCluster,
    listClusterOwners,
    listOwnInstances,
    async findMethod(from, userid) {
      const [card] = await listCards(from, userid, gateway.name)
      return card?.is_default ? { id: card.id, gateway: card.gateway } : null
    },
  })
  const payments = createPayments({
    db,
    clock,
    sealer,
    feed,
    config,
    opened,
    lockAccount: accountLimits.lockLimits,
    currencyOf: async (trx, userid) => (await accountLimits.getLimits(trx, userid)).currency,
    onPaymentNews: enqueueAttempt,
    onMovements: enqueueMovements,
    beforeOtherCard: billing.keepUsageCovered,
    beforeLastCard: billing.beforeLastCard,
    isCharging,
    listDeclines,
    onCardReady: async (trx, userid, cardId) =>
      retryOwed(trx, userid, accountNow(await accountLimits.getLimits(trx, userid), clock.now()), cardId),
  })
  const limits = createTrafficLimits({
    db,
    clock,
    log,
    readRoom: billing.trafficRoom,
    onTurn: billing.checkUsageSoon,
    listOwners,
    listLivingClusterIds,
  })
  // Each process notices a new catalogue independently; the last one to notice it clears its copies last.
  catalog.onTaken(() => {
    limits.forgetAll().catch((error: unknown) => {
      log.error({ err: error }, 'what plans let move was not asked again')
    })
  })
  return { payments, billing, limits }
}

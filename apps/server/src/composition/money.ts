import { accountNow } from '../modules/accounts/index.ts'
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
import { createPayments, listCards } from '../modules/payments/index.ts'
import { createMeters, createTrafficLimits } from '../modules/usage/index.ts'
import type { ClockWatch } from '../platform/careful/index.ts'
import type { Base, Modules } from './modules.ts'
import { quotaOfPlan } from './people.ts'

/**
 * What is sold, charged and counted. Before clusters, which order through it: what it asks of them is plain functions
 * over their rows.
 */
export async function composeMoney(base: Base, modules: Modules, clockWatch: ClockWatch): Promise<void> {
  const { db, clock, config, log, catalog, sealer, feed } = base
  const { accounts, mail } = modules
  modules.payments = await createPayments({
    db,
    clock,
    sealer,
    feed,
    config,
    lockAccount: accounts.lockLimits,
    currencyOf: async (trx, userid) => (await accounts.getLimits(trx, userid)).currency,
    onPaymentNews: enqueueAttempt,
    onMovements: enqueueMovements,
    beforeOtherCard: (trx, userid) => modules.billing.keepUsageCovered(trx, userid),
    beforeLastCard: (trx, userid) => modules.billing.beforeLastCard(trx, userid),
    isCharging,
    listDeclines,
    onCardReady: async (trx, userid, cardId) =>
      retryOwed(trx, userid, accountNow(await accounts.getLimits(trx, userid), clock.now()), cardId),
  })
  const { gateway } = modules.payments
  const meters = createMeters({ clock })
  await keepIssuer(db, config.issuer, clock.now())
  modules.billing = createBilling({
    db,
    clock,
    sealer,
    catalog,
    accounts: {
      ...accounts,
      async putOnPlan(trx, userid, plan) {
        await accounts.putOnPlan(trx, userid, plan)
        await modules.limits.forget(trx, userid)
      },
    },
    onCapSet: (trx, userid) => modules.limits.forget(trx, userid),
    onStorageTurn: async (trx, userid) => modules.agents.refreshConfig(trx, await listLivingInstanceIds(trx, userid)),
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
  modules.limits = createTrafficLimits({
    db,
    clock,
    log,
    readRoom: modules.billing.trafficRoom,
    onTurn: modules.billing.checkUsageSoon,
    listOwners,
    listLivingClusterIds,
  })
  // Each process sees a new catalogue by itself, the last one to see it last.
  catalog.onTaken(() => {
    modules.limits.forgetAll().catch((error: unknown) => {
      log.error({ err: error }, 'what plans let move was not asked again')
    })
  })
}

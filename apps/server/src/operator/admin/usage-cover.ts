import type { Config } from '../../config.ts'
import { getLimits } from '../../modules/accounts/index.ts'
import { findUndisputed, keepUsageCovered } from '../../modules/billing/index.ts'
import { readCatalogInUse } from '../../modules/catalog/index.ts'
import { listCards } from '../../modules/payments/index.ts'
import { createMeters } from '../../modules/usage/index.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'

/** Keeps what an account used and is covered now, before an operator takes of what covers it. */
export async function openUsageCover(db: Db, config: Config): Promise<(trx: Trx, userid: string) => Promise<void>> {
  const catalog = await readCatalogInUse(db, config)
  const gateway = { name: config.payments.gateway }
  const deps = {
    clock: systemClock,
    catalog: { current: () => catalog },
    meters: createMeters({ clock: systemClock }),
    correctionDays: config.usageCorrectionDays,
    accounts: { getLimits: getLimits.bind(undefined, () => config.vCpuQuota) },
    findMethod: findCard,
  }
  async function findCard(db: Parameters<typeof listCards>[0], userid: string) {
    const [card] = await listCards(db, userid, gateway.name)
    const preferred = card?.is_default ? { id: card.id, gateway: card.gateway } : null
    return await findUndisputed({ gateway }, db, userid, preferred)
  }
  return (trx, userid) => keepUsageCovered(deps, trx, userid)
}

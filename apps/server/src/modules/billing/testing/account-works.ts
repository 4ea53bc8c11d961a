/** Work on an account during which a worker may be killed, and which the next worker continues. */
import { sql } from 'kysely'
import { systemClock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { once } from '../../../platform/requests/request-keys.ts'
import { lockAccount } from '../../accounts/stores/account-store.ts'
import { listCards } from '../../payments/index.ts'
import type { BillingDeps } from '../index.ts'
import { findTravel } from '../records/travel-store.ts'
import { instanceTerms } from './billing-harness.ts'
import type { ChargingHarness } from './charging-harness.ts'

export type AccountWork = 'orders' | 'renews' | 'ends instances' | 'refunds a card' | 'travels'

/** Mails that are kept where a test counts them, and the account's own card. */
export const workingDeps: Pick<BillingDeps, 'findMethod' | 'mail'> = {
  async findMethod(db, userid) {
    const [card] = await listCards(db, userid, 'sandbox')
    return card ? { id: card.id, gateway: card.gateway } : null
  },
  mail: {
    async post(trx, { userid, params }) {
      await sql`insert into kept_mails values (${userid}, ${JSON.stringify(params)})`.execute(trx)
      return 'ml_kept'
    },
  },
}
export const keptMailsTable = 'create table kept_mails (userid text not null, params text not null)'

/** Goes on with the work of an account until nothing of it is left to be done now. */
export async function carryAccount(
  { db }: Database,
  harness: ChargingHarness,
  userid: string,
  work: AccountWork,
): Promise<void> {
  const runJob = async (name: string, payload: object) => {
    const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
    await harness.billing.jobs.find((job) => job.name === name)?.run(payload, context)
  }
  const carryPayments = async () => {
    const open = db.selectFrom('payments').select('id').where('userid', '=', userid).where('method_id', 'is not', null)
    const under = await open.where('state', 'in', ['created', 'sending', 'unknown']).orderBy('id').execute()
    for (const { id } of under) await harness.carry(id)
  }
  switch (work) {
    case 'orders': {
      const { id: instanceId, cluster_id: clusterId } = await db
        .selectFrom('instances')
        .select(['id', 'cluster_id'])
        .where('owner', '=', userid)
        .orderBy('ordinal', 'desc')
        .executeTakeFirstOrThrow()
      const method = await workingDeps.findMethod(db, userid)
      const instances = [{ instanceId, terms: instanceTerms(2000) }]
      // A client that got no answer sends the request again with the same key.
      const request = { owner: userid, call: 'order', body: { requestId: 'again' } }
      await once({ db, clock: systemClock }, request, async (trx) => {
        await lockAccount(trx, userid)
        const order = { userid, clusterId, instances, at: systemClock.now(), coupons: [], method }
        return await harness.billing.order(trx, order)
      })
      return await carryPayments()
    }
    case 'renews':
      await runJob('billing.account', { userid })
      return await carryPayments()
    case 'ends instances': {
      const rows = await db.selectFrom('instances').select(['id', 'cluster_id']).where('owner', '=', userid).execute()
      const instances = rows.map(({ id }) => ({ instanceId: id, hasRun: true }))
      const order = { userid, clusterId: rows[0]?.cluster_id ?? '', instanceId: null, instances }
      await db.transaction().execute(async (trx) => {
        await lockAccount(trx, userid)
        await harness.billing.endInstances(trx, order)
      })
      return
    }
    case 'refunds a card': {
      const pending = db.selectFrom('card_refunds').select('id').where('userid', '=', userid)
      for (let runs = 0; runs < 20; runs += 1) {
        const left = await pending.where('state', '=', 'pending').execute()
        if (left.length === 0) return
        for (const { id } of left) await runJob('billing.cardRefund', { refundId: id })
      }
      throw new Error(`A refund of ${userid} does not end`)
    }
    case 'travels':
      for (let runs = 0; runs < 200; runs += 1) {
        await runJob('billing.travel', { userid })
        await carryPayments()
        if (!(await findTravel(db, userid))) return
      }
      throw new Error(`The clock of ${userid} does not arrive`)
  }
}

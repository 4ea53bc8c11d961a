/** The money of an account that closes: what keeps it open, what its owner is told, and the payout at the end. */
import type { Currency } from '@atoll/money'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { getBalance } from '../../ledger/index.ts'
import { hasOpenDispute, readSpendable } from '../records/dispute-store.ts'
import { estimateRefundOf, type RefundDeps } from '../sell/estimate-refund.ts'
import { listPaidPayments, owedOf } from './customer-figures.ts'
import { splitPayout } from './split-payout.ts'

/** All that an account paid by card; far more than anybody has. */
const allPayments = 100_000

/** Minor units. */
interface ClosingMoney {
  currency: Currency
  balance: number
  /** Of what was paid ahead for machines. */
  unused: number
  toCard: number
  givenUp: number
  promo: number
}

/** Refuses what has to be settled before the account can close. */
export async function refuseUnsettled(trx: Trx, userid: string): Promise<void> {
  const { rows } = await sql<{ owed: number }>`select ${owedOf(sql`${userid}`)} as owed`.execute(trx)
  if (Number(rows[0]?.owed ?? 0) > 0) refuse('closeOwed')
  if (await hasOpenDispute(trx, userid)) refuse('closeDisputed')
}

/** Money that comes back when the account ends now with these clusters. */
export async function quoteClosing(
  deps: RefundDeps,
  userid: string,
  clusterIds: readonly string[],
): Promise<ClosingMoney> {
  const { db } = deps
  const { currency } = await deps.accounts.getLimits(db, userid)
  let unused = 0
  for (const clusterId of clusterIds) {
    const instances = await deps.listOwnInstances(db, userid, clusterId)
    if (instances && instances.length > 0)
      unused += (await estimateRefundOf(deps, userid, { clusterId })).refund.toBalance.minor
  }
  const balance = Math.max(0, -(await readSpendable(db, userid, currency)).minor)
  const promo = Math.max(0, -(await getBalance(db, userid, 'promo', currency)).minor)
  const { givenUp } = splitPayout(balance + unused, await listRefundable(db, userid))
  return { currency, balance, unused, toCard: balance + unused - givenUp, givenUp, promo }
}

async function listRefundable(db: Db, userid: string) {
  const payments = await listPaidPayments(db, userid, allPayments)
  return payments.map(({ id, to_card }) => ({ id, toCard: Number(to_card) }))
}

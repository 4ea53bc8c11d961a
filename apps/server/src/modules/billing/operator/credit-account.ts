import { dayInZone, formatMajorUnits, type Money, parseMajorUnits, startOfDay, type Zone } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { getUserid, lockOperated } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { getBalance, postToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { insertGrant } from '../records/documents/promo-store.ts'
import { retryOwed } from '../records/retry-owed.ts'

export interface Credit {
  /** An ID or a DID. */
  who: string
  /** In major units of the account's currency. */
  amount: string
  kind: 'cash' | 'promo'
  /** Of promotional credit, in the account's zone, `2027-01-31`; absent: it does not expire. */
  lastDay?: string | undefined
}

const dayMs = 86_400_000

/**
 * Gives an account credit, to its balance (a negative amount takes at most what the balance holds) or as promotional
 * credit. Owed bills are tried again at once. Throws errors that the operator can correct.
 */
export async function creditAccount(
  { db, clock, keepUsageCovered }: { db: Db; clock: Clock } & Pick<OrderDeps, 'keepUsageCovered'>,
  { who, amount: text, kind, lastDay }: Credit,
): Promise<Money> {
  const named = await getUserid(db, who)
  return await db.transaction().execute(async (trx) => {
    const { userid, currency, zone, now } = await lockOperated(trx, named)
    const at = now(clock)
    const amount = parseMajorUnits(text, currency)
    const isGiven = amount !== undefined && (kind === 'cash' ? amount.minor !== 0 : amount.minor > 0)
    if (!isGiven) throw new OperatorError(`"${text}" is no amount that can be given as ${kind}, such as 14.40.`)
    const cash = await getBalance(trx, userid, 'cash', currency)
    if (amount.minor < 0 && amount.minor < cash.minor) {
      throw new OperatorError(`${text} ${currency} is more than the balance holds.`)
    }
    if (amount.minor < 0) await keepUsageCovered(trx, userid)
    const expiresAt = lastDay === undefined ? null : endOfDay(lastDay, zone)
    if (expiresAt && expiresAt <= at) throw new OperatorError(`${lastDay} is over for the account.`)
    const id = newId('gr')
    if (kind === 'promo') await insertGrant(trx, { id, userid, amount, expiresAt, at })
    const about = { userid, at, facts: { amount }, document: id, key: `${id} granted` }
    await postToLedger(trx, { ...about, kind: kind === 'promo' ? 'grant' : 'adjust' })
    if (amount.minor > 0) await retryOwed(trx, userid, at)
    await recordAudit(trx, {
      ...({ actor: 'system', ip: null } as const),
      action: kind === 'promo' ? 'account.grantPromo' : amount.minor > 0 ? 'account.credit' : 'account.debit',
      object: { kind: 'account', id: userid, owner: userid },
      before: null,
      after: { amount: formatMajorUnits(amount), currency, ...(lastDay !== undefined && { lastDay }) },
    })
    await publishChange(trx, { account: userid, topic: 'billing', id })
    return amount
  })
}

/** The first instant after a day; throws for what is none. */
function endOfDay(day: string, zone: Zone): Date {
  const noon = new Date(`${day}T12:00:00Z`)
  // A day that is not in the calendar is parsed as a later day.
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(noon.getTime()) || dayInZone(noon, 'UTC') !== day) {
    throw new OperatorError(`"${day}" is no day such as 2027-01-31.`)
  }
  return new Date(startOfDay(noon, zone).getTime() + dayMs)
}

/**
 * The call `usage/line`: when and by which cluster the usage came about that a line of a bill charges. It is made of
 * what was written down with the bill (`explain`, the readings kept for it, the names at issue), so it never changes.
 */
import type { MeteredProduct, UsageLine, usageLine } from '@atoll/contract/billing'
import type { CallBody } from '@atoll/contract/wire'
import { addMoney, money, parseRate, secondsBetween, subtractMoney } from '@atoll/money'
import { type Db, inSnapshot } from '../../../../platform/db/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import type { UsageItem } from '../../pricing/basket.ts'
import type { UsageExplain } from '../../pricing/explain.ts'
import { partsAbove } from '../../pricing/price-usage.ts'
import { type PricedShare, type Share, shareUsage } from '../../pricing/share-usage.ts'
import type { InvoiceRow } from '../../records/documents/document-tables.ts'
import { readWallClock } from '../../records/wall-clock.ts'
import { type ChargedLine, listChargedLines } from '../../views/lines/charged-lines.ts'
import { explainOf } from '../../views/lines/formula-of.ts'
import { getOwnInvoice } from '../../views/read-invoices.ts'
import { metering, toUnits } from '../metered-products.ts'
import { listPeriods } from './list-periods.ts'
import type { About } from './period-figures.ts'
import { readSpoken } from './read-shares.ts'
import { clusterDays, type DaysDeps, daysBetween, readAbout } from './show-days.ts'

const hourMs = 3_600_000

/** Refuses an invoice that is not the account's, and a line that charges no usage. */
export async function showLine(
  deps: DaysDeps,
  userid: string,
  { invoiceId, line: number }: CallBody<typeof usageLine>,
): Promise<UsageLine> {
  return await inSnapshot(deps.db, async (trx) => {
    const invoice = await getOwnInvoice(trx, userid, invoiceId)
    const lines = (await listChargedLines(trx, userid, [invoiceId])).get(invoiceId)
    const line = lines?.find((one) => one.line === number)
    const explain = line && explainOf(line)
    const productType = line?.product_type
    if (!line || !productType || productType === 'Instance' || explain?.rule !== 'usage') {
      return refuse('lineWithoutUsage', { line: number, number: invoice.number })
    }
    const about = await readAbout(deps, trx, userid)
    const { currency } = invoice
    const item = itemOf(line, explain, currency)
    const { shares, until: end } = await readLine(deps, trx, about, {
      invoice,
      line,
      product: productType,
      explain,
      item,
    })
    const crossing = explain.measure === 'flow' ? shares.find(({ above }) => above > 0n) : undefined
    const days = daysBetween({ start: crossing ? new Date(crossing.at) : line.period_start, end }, line.zone)
    const counted = (await listPeriods(trx, about)).find(
      ({ subscription, period }) =>
        subscription?.id === line.subscription_id && period.start.getTime() === line.period_start.getTime(),
    )
    const names = new Map(line.shares.map(({ clusterId, name }) => [clusterId, name]))
    const sums = partSums(item)
    return {
      productType,
      start: line.period_start.toISOString(),
      end: line.period_end.toISOString(),
      periodSeconds: explain.periodSeconds,
      listedEnd: counted && about.at >= counted.until ? counted.until.toISOString() : null,
      unitLabel: metering[productType].unitLabel,
      used: toUnits(sums.used),
      overage: toUnits(sums.above),
      amount: line.amount_minor,
      currency,
      usedUpAt: crossing ? new Date(Math.floor(crossing.at / hourMs) * hourMs).toISOString() : null,
      days,
      clusters: clusterDays(shares, { days, names, currency, zone: line.zone }, ({ used, above }) =>
        explain.measure === 'flow' ? above : used,
      ),
    }
  })
}

/** The priced item, rebuilt from the stored explanation. */
function itemOf(
  { product_type: key, period_start: start, period_end: end }: ChargedLine,
  { measure, parts }: UsageExplain,
  currency: InvoiceRow['currency'],
): UsageItem {
  return {
    kind: 'usage',
    key,
    measure,
    period: { start, end },
    parts: parts.map(({ start: from, seconds, used, quota, rate: text }) => {
      const rate = text === null ? undefined : parseRate(text, currency)
      const part = { start: new Date(from), end: new Date(Date.parse(from) + seconds * 1000) }
      return { part, used: BigInt(used), quota: BigInt(quota), ...(rate && { rate }) }
    }),
  }
}

function partSums(item: UsageItem): { used: bigint; above: bigint } {
  const whole = BigInt(secondsBetween(item.period.start, item.period.end))
  const parts = partsAbove(item)
  return {
    used: parts.reduce((sum, { used }) => sum + used, 0n) / whole,
    above: parts.reduce((sum, { above }) => sum + above, 0n) / whole,
  }
}

interface LineFacts {
  invoice: InvoiceRow
  line: ChargedLine
  product: MeteredProduct
  explain: UsageExplain
  item: UsageItem
}

/**
 * The shares of the line, in order of time, by the newest readings that were stored when its bill was written, and the
 * time until which those reach. Usage that earlier bills of the period charged has no amount here. No shares if they do
 * not add up to the line.
 */
async function readLine(
  deps: DaysDeps,
  db: Db,
  { userid, limits }: About,
  { invoice, line, product, explain, item }: LineFacts,
): Promise<{ shares: PricedShare[]; until: Date }> {
  const kept = await db
    .selectFrom('usage_readings')
    .select(['from_at', 'to_at', 'recorded_at'])
    .where('subscription_id', '=', line.subscription_id)
    .where('product_type', '=', product)
    .where('from_at', '>=', line.period_start)
    .where('from_at', '<', line.period_end)
    .where('recorded_at', '<=', invoice.recorded_at)
    .orderBy('recorded_at')
    .execute()
  const of = { userid, zone: limits.zone, product, item, wallClock: await readWallClock(db, userid, limits) }
  const shares: Share[][] = []
  let until = line.period_start
  for (const { part, used } of item.parts) {
    const reading = kept.findLast(({ from_at: from }) => from.getTime() === part.start.getTime())
    const spoken = reading && { start: reading.from_at, end: reading.to_at }
    const own = spoken ? await readSpoken(deps, db, of, spoken, reading.recorded_at) : []
    if (own.reduce((sum, share) => sum + share.used, 0n) !== used) return { shares: [], until: line.period_end }
    if (spoken) until = spoken.end
    shares.push(own)
  }
  // On old bills each part after a raise had the whole of its quota.
  const isSame = partsAbove(item).every(({ above }, index) => String(above) === explain.parts[index]?.above)
  if (!isSame) return { shares: [], until: line.period_end }
  const before = money(Math.min(explain.charged ?? 0, explain.rounded), invoice.currency)
  const together = addMoney(before, money(line.amount_minor, invoice.currency))
  const earlier = shareUsage(item, shares, before).flat()
  const priced = shareUsage(item, shares, together).flat()
  return {
    shares: priced.map((share, at) => {
      const amount = subtractMoney(share.amount, earlier[at]?.amount ?? money(0, invoice.currency))
      return { ...share, amount }
    }),
    until,
  }
}

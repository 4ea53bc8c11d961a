/** Tells an account what of its plan is used: a notice for each product, and a mail at 80 and at 100 %, once each. */
import { isDeepStrictEqual } from 'node:util'
import { type MeteredProduct, type Notice, type NoticeKey, noticeKindOf } from '@atoll/contract/billing'
import type { Clock } from '../../../../platform/clock.ts'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { publishChange } from '../../../../platform/events/index.ts'
import { type BillingMailDeps, sendBillingMail } from '../../mails/send-billing-mail.ts'
import type { CurrentUsage, ProductUsage } from '../current-usage.ts'
import { metering, toUnits } from '../metered-products.ts'
import { listNotices, type NoticeRow, putNotice, removeNotice } from './notice-store.ts'
import { decideNotice, levelOf, percentOf, type UsageLevel } from './usage-notice.ts'

/** How long the notice that something goes on is shown, ms. */
const openMs = 24 * 60 * 60_000

export interface UsageNoticeDeps extends BillingMailDeps {
  /** In the transaction by which the drives of an account take no new files any more, or take them again. */
  onStorageTurn(trx: Trx, userid: string): Promise<void>
}

/** Under the account's lock. `clockOffsetMs`: how far the account's clock is ahead. */
export async function notifyOfUsage(
  deps: UsageNoticeDeps,
  trx: Trx,
  { userid, usage, clockOffsetMs }: { userid: string; usage: CurrentUsage; clockOffsetMs: number },
): Promise<void> {
  const now = deps.clock.now()
  const notices = new Map(
    (await listNotices(trx, userid))
      // A limit that its period ended is one that was lifted.
      .filter(({ key, until }) => key !== 'usageOpen' || until > now)
      .map((row) => [row.product_type, row]),
  )
  const periodEnd = new Date(usage.period.end.getTime() - clockOffsetMs)
  let isNews = false
  for (const one of usage.products) {
    const level = levelOf({ ...one, isStopped: isStopped(one) })
    const before = notices.get(one.product)
    const key = decideNotice(before?.key, level)
    if (key !== before?.key) isNews = true
    const turns = (key === 'usageLimited') !== (before?.key === 'usageLimited')
    if (turns && one.product === 'cloud_storage') await deps.onStorageTurn(trx, userid)
    if (!key) await removeNotice(trx, userid, one.product)
    else if (key !== before?.key || key !== 'usageOpen') {
      const until = key === 'usageOpen' ? new Date(now.getTime() + openMs) : periodEnd
      const since = before && key === before.key ? before.since : now
      const row = { product_type: one.product, key, params: paramsOf(one, usage), since, until }
      if (!isDeepStrictEqual(row.params, before?.params)) isNews = true
      await putNotice(trx, userid, row)
    }
    await mailUsage(deps, trx, { userid, usage, one })
  }
  if (isNews) await publishChange(trx, { account: userid, topic: 'account', id: userid })
}

/** A bill that is past due freezes what is charged, too, but stops nobody who visits a cluster. */
function isStopped({ stop, product }: ProductUsage): boolean {
  return stop !== undefined && (product !== 'cloud_traffic' || stop !== 'pastDue')
}

function paramsOf({ product, used, quota, amount }: ProductUsage, { terms }: CurrentUsage): Notice['params'] {
  return {
    used: toUnits(used),
    quota: toUnits(quota),
    unitLabel: metering[product].unitLabel,
    rate: terms?.overage[product] ?? null,
    currency: amount.currency,
  }
}

/** The mark of its quota that a product has passed, and under which its mail is written: once in a period. */
function markOf(
  usage: CurrentUsage,
  one: ProductUsage,
): { percent: 80 | 100; level: UsageLevel; key: string } | undefined {
  const level = levelOf({ ...one, isStopped: isStopped(one) })
  const percent = percentOf(level)
  // Of a plan that was raised since, the marks are others.
  return (
    percent && { percent, level, key: `${usage.period.start.toISOString()} ${one.product} ${one.quota} ${percent}` }
  )
}

/** The keys of the mails that this usage has sent, as they are kept. */
export function usageMailKeys(usage: CurrentUsage): string[] {
  return usage.products.flatMap((one) => {
    const mark = markOf(usage, one)
    return mark ? [`usage ${mark.key}`] : []
  })
}

async function mailUsage(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, usage, one }: { userid: string; usage: CurrentUsage; one: ProductUsage },
): Promise<void> {
  const mark = markOf(usage, one)
  if (!mark) return
  const { percent, level, key } = mark
  const { period } = usage
  const { used, quota, unitLabel, rate } = paramsOf(one, usage)
  const facts = { product: one.product, percent, used, quota, unitLabel, isLimited: level === 'limited' }
  await sendBillingMail(deps, trx, {
    userid,
    kind: 'usage',
    key,
    facts: { ...facts, rate: rate === null ? null : { text: rate, currency: one.amount.currency }, endsAt: period.end },
  })
}

/** The current notices of an account, as clients see them. */
export async function showNotices({ clock }: { clock: Clock }, db: Db, userid: string): Promise<Notice[]> {
  const now = clock.now()
  return (await listNotices(db, userid)).filter(({ until }) => until > now).map(toNotice)
}

function toNotice({ product_type: object, key, params, since, until }: NoticeRow): Notice {
  const times = { since: since?.toISOString() ?? null, until: until.toISOString() }
  return { kind: noticeKindOf[key], key, object, params, ...times }
}

const putAway = 'usageOpen' satisfies NoticeKey

/** Puts away that something goes on; safe to repeat, and nothing else can be put away. */
export async function seeNotice({ db }: { db: Db }, userid: string, product: MeteredProduct): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (await removeNotice(trx, userid, product, putAway)) {
      await publishChange(trx, { account: userid, topic: 'account', id: userid })
    }
  })
}

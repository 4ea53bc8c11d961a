import type { ForecastMail } from '@atoll/contract/billing'
import { addMonths } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { accountNow, findAddressee } from '../../accounts/index.ts'
import { findDefaultCard } from '../../payments/index.ts'
import { cardExpiryKey } from '../usage/notices/warning-mails.ts'
import type { RehearsalDeps } from './rehearse.ts'

/** The mails that a rehearsal wrote in `trx`, and that of the card in use, which comes with its last month. */
export async function foreseeMails(
  { clock, accounts }: RehearsalDeps,
  trx: Trx,
  { userid, months, before }: { userid: string; months: number; before: ReadonlySet<string> },
): Promise<ForecastMail[]> {
  const to = (await findAddressee(trx, userid))?.email
  if (!to) return []
  const mails = await trx
    .selectFrom('billing_mails')
    .select(['key', 'kind', 'at'])
    .where('userid', '=', userid)
    .execute()
  const foreseen = mails.filter(({ key }) => !before.has(key))
  const limits = await accounts.lockLimits(trx, userid)
  const now = accountNow(limits, clock.now())
  const expiry = await findExpiry(trx, userid, now)
  if (expiry && !before.has(expiry.key) && expiry.at <= addMonths(now, months, limits.zone)) foreseen.push(expiry)
  return foreseen
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.key < b.key ? -1 : 1))
    .map(({ at, kind }) => ({ at: at.toISOString(), kind, to }))
}

/** The job of each hour finds a card in its last month: when that begins, or now. */
async function findExpiry(
  trx: Trx,
  userid: string,
  now: Date,
): Promise<{ key: string; kind: 'cardExpires'; at: Date } | undefined> {
  const card = await findDefaultCard(trx, userid)
  if (!card) return undefined
  const [begins, ends] = [0, 1].map((month) => new Date(Date.UTC(card.exp_year, card.exp_month - 1 + month, 1)))
  if (!begins || !ends || ends <= now) return undefined
  return { key: `cardExpires ${cardExpiryKey(card)}`, kind: 'cardExpires', at: begins > now ? begins : now }
}

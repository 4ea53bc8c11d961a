import { noteEvidence } from '../../../platform/careful/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { PaymentGateway } from '../../payments/index.ts'

/** Newest captures that are compared at least: those after a copy of the database was taken are the newest. */
const compared = 100
/** Pages that are read for them, where the gateway's account is used for other things, too. */
const mostPages = 20
/** Most pages read while each page has captures that are unknown here, so that all lost captures are reported. */
const mostLost = 1000

/**
 * Reports payments that the gateway captured for us and that this database does not know: then the database is older
 * than the gateway, and bills that it considers due may have been charged already. Returns text if the gateway does not
 * answer.
 */
export async function compareCaptures(
  db: Db,
  gateway: Pick<PaymentGateway, 'name' | 'listCaptures'>,
  now: Date,
): Promise<string | undefined> {
  let after: string | null = null
  let seen = 0
  let isLost = false
  for (let pages = 0; isLost ? pages < mostLost : pages < mostPages && seen < compared; pages += 1) {
    const page: Awaited<ReturnType<typeof gateway.listCaptures>> = await gateway.listCaptures({ after })
    if (page.kind === 'unknown') return `${gateway.name} does not say what it took: ${page.why}`
    const ids = page.captures.map(({ paymentId }) => paymentId)
    const rows = ids.length === 0 ? [] : await db.selectFrom('payments').select('id').where('id', 'in', ids).execute()
    const known = new Set(rows.map(({ id }) => id))
    const lost = page.captures.filter(({ paymentId }) => !known.has(paymentId))
    isLost = lost.length > 0
    for (const { paymentId: object, ref, amount } of lost) {
      const detail = `${gateway.name} took ${amount.minor} ${amount.currency} for ${object} (${ref}), which is not known here`
      await noteEvidence(db, { about: 'gateway', object, detail, now })
    }
    seen += ids.length
    after = page.next
    if (after === null) break
  }
  return undefined
}

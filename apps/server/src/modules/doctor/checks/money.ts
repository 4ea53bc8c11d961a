import { sql } from 'kysely'
import { findNewestCharge } from '../../billing/index.ts'
import { findNewestEvent } from '../../payments/index.ts'
import { type Check, failed, passed, reasonOf, skipped, warned } from '../check.ts'
import { isPublicUrl } from '../public-url.ts'

const group = 'Money'
/** How long after a charge its webhook is still awaited, ms. */
const awaitedMs = 60 * 60_000

export const moneyChecks: readonly Check[] = [
  {
    name: 'ledger',
    group,
    title: 'Ledger balances',
    needsDatabase: true,
    async look({ context, config: { isRelease } }) {
      try {
        return passed(`${await context.verifyLedger()} transactions`)
      } catch (error) {
        return failed(
          `${reasonOf(error)}.`,
          'Begin careful mode, so that no money moves, and compare with a backup of before.',
          isRelease ? 'atollctl admin careful' : 'npm run admin -- careful',
        )
      }
    },
  },
  {
    name: 'webhooks',
    group,
    title: 'The gateway’s webhooks arrive',
    needsDatabase: true,
    async look({ db, config: { payments, publicUrl } }) {
      if (payments.gateway === 'sandbox') return skipped('the sandbox charges nothing')
      const charge = await findNewestCharge(db, payments.gateway)
      if (charge === undefined) return skipped('no card was charged yet')
      const event = await findNewestEvent(db, payments.gateway)
      if (event !== undefined && event.getTime() >= charge.getTime() - awaitedMs) return passed()
      const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
      if ((rows[0]?.now.getTime() ?? 0) - charge.getTime() < awaitedMs) return passed('the newest charge is under way')
      return failed(
        `A card was charged at ${charge.toISOString()}, and the newest webhook is of ${event?.toISOString() ?? 'never'}.`,
        `In the gateway's settings, send webhooks to ${publicUrl}/pay/webhook/${payments.gateway}, and set its signing secret here.`,
      )
    },
  },
  {
    name: 'catalogue',
    group,
    title: 'Prices of the catalogue are valid',
    async look({ readCatalog, config: { isRelease } }) {
      try {
        const { clouds } = await readCatalog()
        return passed(`${clouds.flatMap(({ offerings }) => offerings).length} offerings`)
      } catch (error) {
        const check = isRelease ? 'atollctl catalog-check' : 'npm run catalog:check'
        return failed(reasonOf(error), 'Correct the file; the server goes on with what it read before.', check)
      }
    },
  },
  {
    name: 'sandbox',
    group,
    title: 'Cards are charged by a real gateway',
    async look({ config: { payments, publicUrl } }) {
      if (payments.gateway !== 'sandbox') return passed(payments.gateway)
      if (!isPublicUrl(publicUrl)) return skipped(`${publicUrl} is this machine's own address`)
      return warned(
        'The sandbox charges cards, which moves no money: strangers can have everything for nothing.',
        'Set ATOLL_PAYMENT_GATEWAY=stripe with its two secrets.',
      )
    },
  },
]

import { type KeyMove, sealedColumn } from '../../platform/keys/index.ts'
import './mail-store.ts'

/** How long a link that ends mails of one kind has to work after the mail, ms: 30 days are law in places (CAN-SPAM). */
const linkLifetimeMs = 30 * 24 * 3600_000

export const mailKeyMoves = {
  'mail parameters': sealedColumn({ use: 'mail parameters', table: 'mails', key: 'id', column: 'params' }),
  'unsubscribe link': {
    async count({ db, clock }, since) {
      const { count } = await db
        .selectFrom('mails')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('optional', 'is not', null)
        .where('created_at', '<', since)
        .where('created_at', '>', new Date(clock.now().getTime() - linkLifetimeMs))
        .executeTakeFirstOrThrow()
      return count
    },
  },
} satisfies Record<string, KeyMove>

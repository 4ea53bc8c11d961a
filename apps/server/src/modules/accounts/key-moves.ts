import type { KeyMove } from '../../platform/keys/index.ts'
import './email/email-code-store.ts'

export const accountKeyMoves = {
  'email code': {
    async count({ db, clock }, since) {
      const { count } = await db
        .selectFrom('email_codes')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('ended_at', 'is', null)
        .where('created_at', '<', since)
        .where('expires_at', '>', clock.now())
        .executeTakeFirstOrThrow()
      return count
    },
  },
} satisfies Record<string, KeyMove>

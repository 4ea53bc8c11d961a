import { oneTimePasswordLifetimeMs } from '@atoll/contract/domains'
import type { KeyMove } from '../../../platform/keys/index.ts'
import './member-store.ts'

export const domainKeyMoves = {
  'one-time password': {
    async count({ db, clock }, since) {
      const { count } = await db
        .selectFrom('domain_members')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('password_hash', 'is not', null)
        .where('password_expires_at', '>', clock.now())
        .where('password_expires_at', '<=', new Date(since.getTime() + oneTimePasswordLifetimeMs))
        .executeTakeFirstOrThrow()
      return count
    },
  },
} satisfies Record<string, KeyMove>

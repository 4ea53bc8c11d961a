import type { KeyMove } from '../../../platform/keys/index.ts'
import './copy-store.ts'

/**
 * `servers`: the addresses of the PowerDNS in use. Every copy is compared each 10 minutes, and its mark renewed then.
 */
export function dnsKeyMoves(servers: readonly string[]) {
  return {
    'zones at PowerDNS': {
      async count({ db }, since) {
        if (servers.length === 0) return 0
        const { count } = await db
          .selectFrom('zone_copies')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('server', 'in', servers)
          .where((from) => from.or([from('checked_at', 'is', null), from('checked_at', '<', since)]))
          .executeTakeFirstOrThrow()
        return count
      },
    },
  } satisfies Record<string, KeyMove>
}

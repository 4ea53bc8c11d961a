import { revokeCredentials } from '../modules/credentials/index.ts'
import { removeZone } from '../modules/dns/index.ts'
import { releaseDomain } from '../modules/domains/index.ts'
import { lockNames, releaseNames } from '../modules/identity/index.ts'
import { systemClock as clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/index.ts'

/** Takes a linked domain from its account; gives whose it was, or undefined where nobody has proven it. */
export async function releaseByOperator(db: Db, domain: string): Promise<string | undefined> {
  const deps = {
    db,
    clock,
    credentials: { revoke: revokeNow },
    dns: { removeZone },
    names: { lock: lockNames, release: releaseUnder },
  }
  return await releaseDomain(deps, domain)
}

const revokeNow = (trx: Parameters<typeof revokeCredentials>[0], number: number) =>
  revokeCredentials(trx, number, clock.now())
const releaseUnder = (trx: Parameters<typeof releaseNames>[1], domain: string) => releaseNames({ clock }, trx, domain)

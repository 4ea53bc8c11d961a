import { type MetricsToken, openMetricsEverySeconds, openMetricsPath } from '@atoll/contract/observe'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { randomToken, sha256Hex } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { recordAudit } from '../../audit/index.ts'
import {
  deleteScrapeToken,
  findScrapeToken,
  isScrapeToken,
  saveScrapeToken,
  spendScrapeToken,
} from './scrape-token-store.ts'

export interface ScrapeTokenDeps {
  db: Db
  clock: Clock
  config: { publicUrl: string }
}

export async function showToken({ db }: ScrapeTokenDeps, userid: string): Promise<{ token: MetricsToken | null }> {
  const row = await findScrapeToken(db, userid)
  if (!row) return { token: null }
  return { token: { createdAt: row.created_at.toISOString(), usedAt: row.used_at?.toISOString() ?? null } }
}

/** Gives the token, this once. Pressed twice, the second one is the one that counts. */
export async function makeToken(
  { db, clock, config }: ScrapeTokenDeps,
  caller: Caller,
): Promise<{ token: string; url: string }> {
  const token = randomToken()
  const { userid } = caller
  await db.transaction().execute(async (trx) => {
    await saveScrapeToken(trx, { userid, token_hash: sha256Hex(token), created_at: clock.now() })
    await note(trx, caller, 'metricsToken.make')
  })
  return { token, url: new URL(openMetricsPath, config.publicUrl).href }
}

/** Safe to repeat. */
export async function revokeToken({ db }: ScrapeTokenDeps, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (await deleteScrapeToken(trx, caller.userid)) await note(trx, caller, 'metricsToken.revoke')
  })
}

async function note(trx: Trx, caller: Caller, action: 'metricsToken.make' | 'metricsToken.revoke'): Promise<void> {
  const { userid } = caller
  const object = { kind: 'metricsToken' as const, id: userid, owner: userid }
  await recordAudit(trx, { actor: caller, ip: caller.ip, action, object })
  await publishChange(trx, { account: userid, topic: 'session', id: userid })
}

/** Tolerance for clients that scrape every five seconds and are sometimes a little early. ms */
const slackMs = 250
/** Longest that is checked, characters; ours have 43. */
const longestToken = 256

/** Whose measurements `authorization` may read now; `early`: it asked within the last seconds. */
export async function authorizeScrape(
  { db, clock }: Pick<ScrapeTokenDeps, 'db' | 'clock'>,
  authorization: string,
): Promise<{ userid: string } | 'early' | 'unknown'> {
  const [, token] = /^Bearer ([\w-]+)$/i.exec(authorization) ?? []
  if (token === undefined || token.length > longestToken) return 'unknown'
  const hash = sha256Hex(token)
  const everyMs = openMetricsEverySeconds * 1000 - slackMs
  const userid = await spendScrapeToken(db, { hash, at: clock.now(), everyMs })
  if (userid !== undefined) return { userid }
  return (await isScrapeToken(db, hash)) ? 'early' : 'unknown'
}

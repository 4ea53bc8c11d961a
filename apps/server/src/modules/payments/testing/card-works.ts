/** Work on an account's cards during which a worker may be killed, and which the next worker continues. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import { systemClock } from '../../../platform/clock.ts'
import { createSealer } from '../../../platform/crypto.ts'
import type { Database, Db, Tables } from '../../../platform/db/index.ts'
import type { Job } from '../../../platform/jobs/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { lockAccount } from '../../accounts/stores/account-store.ts'
import { countBoundaries } from '../../clusters/testing/boundary-pool.ts'
import { cardDetach } from '../cards/card-detach.ts'
import { type CardDeps, chooseDefaultCard, orderCard, removeOwnCard } from '../cards/card-service.ts'
import { setupOpenJob } from '../cards/card-setup.ts'
import { listCards } from '../cards/card-store.ts'
import { sandboxAddresses } from '../drivers/sandbox/sandbox-address.ts'
import { createSandboxGateway } from '../drivers/sandbox/sandbox-gateway.ts'
import type { PaymentGateway } from '../gateway/gateway.ts'
import { cardSetupOpen } from '../jobs/card-setup-open.ts'
import { cardSetupRead } from '../jobs/card-setup-read.ts'
import { erringGateway, withBoundaries } from './erring-gateway.ts'

export const cardWorks = [
  'asks for a page',
  'keeps a card',
  'replaces the default card',
  'is too late on its page',
  'chooses another default',
  'removes the default card',
] as const
export type CardWork = (typeof cardWorks)[number]

/** The accounts that were notified of another card to charge. */
export const cardNewsTable = 'create table card_news (userid text not null)'

export function sandboxOf(db: Db): PaymentGateway {
  const { of } = sandboxAddresses(createSealer(Buffer.alloc(32, 7)))
  return createSandboxGateway({ db, clock: systemClock, webhookSecrets: [''], addressOf: of })
}

export function cardDeps(db: Db, gateway: PaymentGateway): CardDeps {
  return {
    db,
    clock: systemClock,
    gateway,
    lockAccount,
    currencyOf: async () => 'usd',
    beforeLastCard: async () => undefined,
    beforeOtherCard: async () => undefined,
    async onCardReady(trx, userid) {
      await sql`insert into card_news values (${userid})`.execute(trx)
    },
  }
}

/**
 * Dependencies of the cards for the crash matrix: statements that write are boundaries, and so are both sides of each
 * request to the gateway, whose tables are reached through `elsewhere`. The first answer about each page and each card
 * is lost.
 */
export function stumblingCardDeps({ pool }: Database, elsewhere: Database): CardDeps {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: countBoundaries(pool) }) })
  const asked = new Set<string>()
  const erring = erringGateway(sandboxOf(elsewhere.db), (request, id) => {
    if (asked.has(`${request} ${id}`)) return undefined
    asked.add(`${request} ${id}`)
    return 'after'
  })
  return cardDeps(db, withBoundaries(erring))
}

/** Goes on with what is done with an account's cards until nothing of it is left. */
export async function carryCards(deps: CardDeps, userid: string, work: CardWork): Promise<void> {
  const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User', ip: '192.0.2.9' } as const
  const cardEnding = async (last4: string) =>
    (await listCards(deps.db, userid, 'sandbox')).find((card) => card.last4 === last4)?.id
  if (work === 'asks for a page') {
    // A client that got no answer sends the request again with the same key.
    const order = {
      caller,
      call: 'add',
      requestId: 'again',
      locale: 'en-US',
      returnUrl: 'http://cloud.example/',
    } as const
    await orderCard(deps, order)
    return await runJobs(deps, userid, [setupOpenJob])
  }
  const id = await cardEnding(work === 'chooses another default' ? '4444' : '4242')
  if (work === 'chooses another default') await chooseDefaultCard(deps, caller, id ?? '')
  // One that is gone was removed by the request that got no answer.
  if (work === 'removes the default card' && id !== undefined) await removeOwnCard(deps, caller, id)
  await runJobs(deps, userid)
}

/** Runs what the queue holds for the account's cards, be it due or not, until it holds nothing; of `names` only. */
async function runJobs(deps: CardDeps, userid: string, names?: readonly string[]): Promise<void> {
  const jobs: Job[] = [cardSetupOpen(deps), cardSetupRead(deps), cardDetach({ ...deps, isCharging: async () => false })]
  for (let runs = 0; runs < 20; runs += 1) {
    const { rows } = await jobsOf(userid).execute(deps.db)
    const waiting = rows.filter(({ name }) => names?.includes(name) ?? true)
    if (waiting.length === 0) return
    for (const { id, name, payload } of waiting) {
      const of = sql`where id = ${id}`
      // As a worker takes it; also what a dead one held.
      await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a test' ${of}`.execute(deps.db)
      const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
      try {
        await jobs.find((job) => job.name === name)?.run(payload, context)
      } catch {
        // The gateway gave no clear answer.
        await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null ${of}`.execute(deps.db)
        continue
      }
      await sql`delete from graphile_worker._private_jobs ${of}`.execute(deps.db)
    }
  }
  throw new Error(`The jobs of ${userid} do not end`)
}

/** Jobs about the pages and cards of an account, the oldest first. */
export const jobsOf = (userid: string) => sql<{ id: string; name: string; payload: unknown }>`
  select job.id, task.identifier as name, job.payload from graphile_worker._private_jobs job
  join graphile_worker._private_tasks task on task.id = job.task_id
  where job.payload ->> 'setupId' in (select id from card_setups where userid = ${userid})
    or job.payload ->> 'card' in (select card_ref from payment_methods where userid = ${userid})
  order by job.id`

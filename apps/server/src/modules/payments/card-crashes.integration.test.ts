/**
 * The crash matrix of cards: a worker is killed at every boundary of a page on which a card is entered, of choosing the
 * default, of replacing and of removing a card; between any two writes and on both sides of each request to a gateway
 * whose first answer is lost. The next worker knows only what the database and the gateway show.
 */

import { fileURLToPath } from 'node:url'
import { createScriptedWallet } from '@atoll/testkit'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/crypto.ts'
import { createDatabase, type Trx } from '../../platform/db/index.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { runCrashing } from '../../testing/run-crashing.ts'
import { makeAccount } from '../accounts/testing/make-account.ts'
import { addSandboxCard } from '../billing/testing/charging-harness.ts'
import { runToBoundary } from '../clusters/testing/boundary-pool.ts'
import { openCardPage } from './cards/card-setup.ts'
import { insertCardSetup } from './cards/setup-store.ts'
import { endSetup, findSetup, insertCard } from './drivers/sandbox/sandbox-store.ts'
import {
  type CardWork,
  cardDeps,
  cardNewsTable,
  cardWorks,
  carryCards,
  jobsOf,
  sandboxOf,
  stumblingCardDeps,
} from './testing/card-works.ts'
import type { CrashingCardsOptions } from './testing/crashing-cards.ts'

const program = fileURLToPath(new URL('testing/crashing-cards.ts', import.meta.url))
const database = useDatabase({ max: 12 })
beforeAll(async () => {
  await database.pool.query(cardNewsTable)
})
const transact = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work)

/** An account of its own for each boundary, as one whose worker has stopped stays locked. */
async function prepare(work: CardWork): Promise<string> {
  const { userid } = await makeAccount(database.db)
  if (work === 'asks for a page') return userid
  if (work === 'keeps a card' || work === 'is too late on its page') {
    await openPage(userid, null)
    if (work === 'is too late on its page') {
      const own = '(select id from card_setups where userid = $1)'
      await database.pool.query(`update sandbox_setups set expires_at = now() where setup_id in ${own}`, [userid])
    } else await enterCard(userid)
    return userid
  }
  await transact((trx) => addSandboxCard(trx, userid, '5555555555554444'))
  const { id } = await transact((trx) => addSandboxCard(trx, userid, '4242424242424242'))
  if (work !== 'replaces the default card') return userid
  await openPage(userid, id)
  await enterCard(userid)
  return userid
}

async function openPage(userid: string, replaces: string | null): Promise<void> {
  const asked = { gateway: 'sandbox', currency: 'usd', locale: 'en-US', return_url: 'http://cloud.example/' } as const
  const setup = { id: newId('su'), userid, ...asked, replaces, created_at: new Date() }
  await transact((trx) => insertCardSetup(trx, setup))
  await openCardPage(cardDeps(database.db, sandboxOf(database.db)), setup.id)
}

/** As the sandbox's page does. */
async function enterCard(userid: string): Promise<void> {
  const { id: setupId } = await database.db
    .selectFrom('card_setups')
    .select('id')
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow()
  const { customer } = (await findSetup(database.db, setupId)) ?? { customer: '' }
  const card = { id: newId('sb'), customer, brand: 'visa', last4: '3220', charging: 'asks' } as const
  await transact(async (trx) => {
    await endSetup(trx, { setupId, state: 'done', cardId: card.id })
    await insertCard(trx, { ...card, exp_month: 12, exp_year: 2040 })
  })
}

/** An account's cards in this database, at the gateway and in the queue, without ids. */
async function outcomeOf(userid: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `select concat_ws(' ', 'card', payment_methods.last4, case when is_default then 'default' end,
         case when removed_at is not null then 'removed' end,
         case when detached_at is not null then 'forgotten' end) as line
       from payment_methods join sandbox_cards on sandbox_cards.id = card_ref where userid = $1
     union all select concat_ws(' ', 'page', ours.state, case when url is not null then 'with its address' end, '/',
         coalesce(theirs.state, 'none')) from card_setups ours left join sandbox_setups theirs on setup_id = id
         where userid = $1
     union all select 'notified of a card' from card_news where userid = $1
     union all select action from audit_drafts where owner = $1
     union all select action from audit_entries where owner = (select did from account_dids where account_id = $1)`,
    [userid],
  )
  const { rows: jobs } = await jobsOf(userid).execute(database.db)
  return [...rows.map(({ line }) => line), ...jobs.map(({ name }) => `job ${name}`)].sort()
}

const ends: Record<CardWork, string[]> = {
  'asks for a page': ['job cardSetup.read', 'page open with its address / open'],
  'keeps a card': ['card 3220 default', 'card.add', 'notified of a card', 'page done / done'],
  'replaces the default card': [
    'card 3220 default',
    'card 4242 removed forgotten',
    'card 4444',
    'card.replace',
    'notified of a card',
    'page done / done',
  ],
  'is too late on its page': ['page canceled / open'],
  'chooses another default': ['card 4242', 'card 4444 default', 'card.setDefault', 'notified of a card'],
  'removes the default card': ['card 4242 removed forgotten', 'card 4444 default', 'card.remove'],
}

test.each(cardWorks)(
  'a worker killed at every boundary while an account %s: each thing is done once, here and at the gateway',
  async (work) => {
    const model = await prepare(work)
    const elsewhere = createDatabase({ connectionString: database.url }, { max: 2 })
    const go = () => carryCards(stumblingCardDeps(database, elsewhere), model, work)
    const { passed } = await runToBoundary(Number.POSITIVE_INFINITY, go)
    await elsewhere.close()
    expect(await outcomeOf(model)).toEqual(ends[work])
    expect(passed).toBeGreaterThanOrEqual(5)
    const boundaries: Record<string, number> = {}
    for (let boundary = 1; boundary <= passed; boundary += 1) boundaries[await prepare(work)] = boundary
    const options: CrashingCardsOptions = { databaseUrl: database.url, work, boundaries }
    expect(await runCrashing(program, options)).toEqual(Object.keys(boundaries))
    const deps = cardDeps(database.db, sandboxOf(database.db))
    for (const [userid, boundary] of Object.entries(boundaries)) {
      await carryCards(deps, userid, work)
      expect(await outcomeOf(userid), `killed at boundary ${boundary}`).toEqual(ends[work])
    }
  },
)

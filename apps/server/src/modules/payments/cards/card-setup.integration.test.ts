import { createScriptedWallet } from '@atoll/testkit'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { getDid } from '../../accounts/index.ts'
import { makeAccount } from '../../accounts/testing/make-account.ts'
import { createSandboxGateway } from '../drivers/sandbox/sandbox-gateway.ts'
import type { PaymentGateway, SetupOutcome } from '../gateway/gateway.ts'
import { chooseDefaultCard, removeOwnCard } from './card-service.ts'
import { openCardPage, settleCardPage } from './card-setup.ts'
import { findDefaultCard, listCards } from './card-store.ts'
import { findCardSetup, insertCardSetup } from './setup-store.ts'

const database = useDatabase()

const lost = { kind: 'unknown', why: 'the line was cut' } as const

/** The sandbox with other answers to some questions. */
function depsOf(answers: Partial<PaymentGateway> = {}) {
  const { db } = database
  const sandbox = createSandboxGateway({
    db,
    clock: systemClock,
    webhookSecrets: [''],
    addressOf: (_, id) => `http://gateway/${id}`,
  })
  const gateway = { ...sandbox, ...answers }
  const lockAccount = (from: { selectFrom: typeof db.selectFrom }, userid: string) =>
    from.selectFrom('accounts').select('account_id').where('account_id', '=', userid).forUpdate().execute()
  const nothing = async () => undefined
  const hooks = { beforeOtherCard: nothing, beforeLastCard: nothing, onCardReady: nothing }
  return { db, clock: systemClock, gateway, lockAccount, currencyOf: async () => 'usd' as const, ...hooks }
}

/** An account that asked for a page. */
async function askForPage(): Promise<{ id: string; userid: string }> {
  const { userid } = await makeAccount(database.db)
  return { id: await askAgain(userid, null), userid }
}

async function askAgain(userid: string, replaces: string | null): Promise<string> {
  const id = newId('su')
  await database.db.transaction().execute((trx) =>
    insertCardSetup(trx, {
      id,
      userid,
      gateway: 'sandbox',
      currency: 'usd',
      locale: 'en-US',
      return_url: 'http://localhost:4800/billing',
      replaces,
      created_at: new Date(),
    }),
  )
  return id
}
const saved = (card: string, last4 = '4242'): SetupOutcome => ({
  kind: 'done',
  card: { customer: 'customer', card },
  facts: { brand: 'visa', last4, expMonth: 12, expYear: 2040, fingerprint: null },
})

describe('the page of a card', () => {
  test('that the gateway did not answer for is asked for again, and opened once', async () => {
    const { id } = await askForPage()
    await expect(openCardPage(depsOf({ openSetup: async () => lost }), id)).rejects.toThrow('the line was cut')
    expect(await findCardSetup(database.db, id)).toMatchObject({ state: 'asked', url: null })
    await openCardPage(depsOf(), id)
    const open = await findCardSetup(database.db, id)
    expect(open).toMatchObject({ state: 'open', url: `http://gateway/${id}` })
    await openCardPage(depsOf({ openSetup: async () => ({ kind: 'action', ref: 'other', url: 'http://other' }) }), id)
    expect(await findCardSetup(database.db, id)).toEqual(open)
  })

  test('that two jobs read at once gives one card, and its address is forgotten', async () => {
    const { id, userid } = await askForPage()
    await openCardPage(depsOf(), id)
    const deps = depsOf({ readSetup: async () => saved(newId('sb')) })
    await Promise.all([1, 2, 3].map(() => settleCardPage(deps, id)))
    expect(await listCards(database.db, userid, 'sandbox')).toMatchObject([{ last4: '4242', is_default: true }])
    expect(await findCardSetup(database.db, id)).toMatchObject({ state: 'done', url: null })
    const did = await getDid(database.db, userid)
    const records = database.db.selectFrom('audit_entries').select('action').where('owner', '=', did)
    const drafts = database.db.selectFrom('audit_drafts').select('action').where('owner', '=', userid)
    expect([...(await records.execute()), ...(await drafts.execute())]).toEqual([{ action: 'card.add' }])
  })

  test('that the gateway does not report stays open, and one it canceled ends', async () => {
    const { id, userid } = await askForPage()
    await openCardPage(depsOf(), id)
    await expect(settleCardPage(depsOf({ readSetup: async () => lost }), id)).rejects.toThrow('the line was cut')
    await settleCardPage(depsOf(), id)
    expect(await findCardSetup(database.db, id)).toMatchObject({ state: 'open' })
    await settleCardPage(depsOf({ readSetup: async () => ({ kind: 'canceled' }) }), id)
    expect(await findCardSetup(database.db, id)).toMatchObject({ state: 'canceled', url: null })
    expect(await listCards(database.db, userid, 'sandbox')).toEqual([])
  })
})

test('the card that is charged is told of before another is chosen, takes its place, or is left once it is removed', async () => {
  const { id, userid } = await askForPage()
  const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User', ip: '192.0.2.9' } as const
  const charged: (string | undefined)[] = []
  const deps = {
    ...depsOf(),
    async beforeOtherCard(trx: Trx, owner: string) {
      charged.push((await findDefaultCard(trx, owner))?.last4)
    },
  }
  const enter = async (setupId: string, last4: string) => {
    await openCardPage(deps, setupId)
    await settleCardPage(
      { ...deps, gateway: depsOf({ readSetup: async () => saved(newId('sb'), last4) }).gateway },
      setupId,
    )
  }
  const cardEnding = async (last4: string) =>
    (await listCards(database.db, userid, 'sandbox')).find((card) => card.last4 === last4)?.id ?? ''
  await enter(id, '4242')
  await enter(await askAgain(userid, null), '5100')
  expect(charged).toEqual([])
  await chooseDefaultCard(deps, caller, await cardEnding('5100'))
  await removeOwnCard(deps, caller, await cardEnding('5100'))
  await enter(await askAgain(userid, await cardEnding('4242')), '1881')
  expect(charged).toEqual(['4242', '5100', '4242'])
})

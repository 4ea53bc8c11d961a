/** The calls of the operator's area: nobody but staff gets a byte, support nothing that is an operator's. */
import { logout } from '@atoll/contract/accounts'
import { decodeApproveCode } from '@atoll/contract/identity'
import { approvalBegin, approvalDeliver, approvalRead } from '@atoll/contract/staff'
import { type Call, codes } from '@atoll/contract/wire'
import { createApiClient, createScriptedWallet } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeStaff } from '../modules/accounts/index.ts'
import type { Ids } from './call-bodies.fixture.ts'
import { createIds } from './testing/owned-ids.ts'
import { bodyOf, callsThat, denials, send } from './testing/table-calls.ts'
import { openTestApp, type Person, type TestApp } from './testing/test-app.ts'

let app: TestApp
let owner: Person
let ids: Ids
let others: Record<string, Person>
let support: Person
let operator: Person
beforeAll(async () => {
  app = await openTestApp()
  owner = await app.createPerson()
  ids = await createIds(app.database, owner)
  // First: without an operator nobody else could be one.
  operator = await app.createPerson('User', 'operator')
  const [stranger, admin, former] = [
    await app.createPerson(),
    await app.createPerson('Admin'),
    await app.createPerson('User', 'support'),
  ]
  support = await app.createPerson('User', 'support')
  await end(former)
  others = { owner, stranger, admin, former }
})
afterAll(() => app[Symbol.asyncDispose]())

const end = ({ userid }: Person) =>
  app.database.db
    .transaction()
    .execute((trx) => changeStaff(trx, { userid, role: null, source: { actor: 'system', ip: null }, now: new Date() }))

/** All of what staff know, as a text: what changed is seen. */
async function stateOfStaff(): Promise<string> {
  const { rows } = await sql`select * from staff order by number`.execute(app.database.db)
  return JSON.stringify(rows)
}

describe('a call of staff', () => {
  it.each(callsThat('staff', 'operator'))(
    '%s is no call to owner, stranger, Admin and former staff',
    async (_, call) => {
      const before = await stateOfStaff()
      for (const [who, person] of Object.entries(others)) {
        const { code, message, data } = await send(person, call, ids)
        expect([who, code, data]).toEqual([who, codes.notFound, undefined])
        // The words of an address that there is not.
        const unknown = { ...call, path: `${call.path}/none` } as Call
        const answer = await person.api.send(unknown, {} as never)
        expect([who, message]).toEqual([who, answer.message.replace(`${call.path}/none`, call.path)])
      }
      expect(await stateOfStaff()).toBe(before)
    },
  )

  it.each(callsThat('operator'))('%s is refused to support', async (_, call) => {
    const before = await stateOfStaff()
    expect(await send(support, call, ids)).toEqual({ code: codes.forbidden, message: 'Only operators can do this.' })
    expect(await stateOfStaff()).toBe(before)
  })

  it.each(callsThat('staff'))('%s answers support and operators', async (_, call) => {
    for (const person of [support, operator]) {
      const { code, message } = await send(person, call, ids)
      expect([message, denials.includes(code)]).toEqual([message, false])
    }
  })

  it('lies under a path of its own', () => {
    const paths = callsThat('staff', 'operator').map(([, { path }]) => path)
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((path) => !path.startsWith('/v1/operator/'))).toEqual([])
  })

  it('is in no document of the customers, but in one of its own', async () => {
    const read = async (name: string) => (await fetch(`${app.origin}/${name}`)).text()
    expect(await read('openapi.json')).not.toContain('/v1/operator/')
    const own = JSON.parse(await read('openapi-operator.json')) as { paths: object }
    for (const [, { path }] of callsThat('staff', 'operator')) expect(Object.keys(own.paths)).toContain(path)
    expect(Object.keys(own.paths)).not.toContain(logout.path)
  })
})

describe('an operator’s stolen session', () => {
  /** Whatever holds or names money, and whatever stops somebody: the rows of these tables. */
  const tables = [
    ...['ledger_transactions', 'ledger_entries', 'ledger_balances', 'payments', 'card_refunds', 'credit_notes'],
    ...['invoices', 'invoice_items', 'promo_grants', 'adopted_captures', 'dispute_answers', 'staff_moves'],
    ...['account_holds', 'staff', 'rollouts', 'late_commands'],
  ]
  let thief: Person
  beforeAll(async () => {
    thief = await app.createPerson('User', 'operator')
  })
  afterAll(() => end(thief))
  async function stateOfMoney(): Promise<Record<string, string>> {
    const { pool } = app.database
    const state: Record<string, string> = {}
    for (const name of tables) {
      const { rows } = await pool.query(
        `select coalesce(jsonb_agg(t order by t::text), '[]')::text as rows from ${name} t`,
      )
      state[name] = rows[0].rows
    }
    return state
  }
  const actsOf = () => callsThat('operator', 'staff').filter(([, { body }]) => 'approval' in (shapeOf(body) ?? {}))
  const shapeOf = (body: unknown) => (body as { shape?: object } | undefined)?.shape // of an object’s schema

  it('changes no money, suspension, role or rollout by any call of staff', async () => {
    const before = await stateOfMoney()
    for (const [name, call] of callsThat('staff', 'operator')) {
      await send(thief, call, ids)
      expect([name, await stateOfMoney()]).toEqual([name, before])
    }
  })

  it('does nothing that is approved, though it asks for the approval and signs it with a wallet of its own', async () => {
    const wallet = createScriptedWallet()
    const wallets = createApiClient(app.origin)
    const before = await stateOfMoney()
    expect(actsOf().length).toBeGreaterThan(12)
    const begun: string[] = []
    for (const [name, call] of actsOf()) {
      const { approval: _, ...fields } = bodyOf(call, ids) as { approval?: string }
      const forged = [wallet.sign({ topic: 'approve', iss: wallet.kid })]
      for (const act of approvalBegin.body.shape.act.options) {
        const answer = await thief.api.send(approvalBegin, { act, parameters: JSON.stringify(fields) })
        if (answer.code !== codes.ok || !answer.data) continue
        begun.push(name)
        const { code } = answer.data as { code: string } // the answer of approvalBegin
        const { nonce } = decodeApproveCode(code)?.message ?? { nonce: '' }
        const { statement } = await wallets.ask(approvalRead, { nonce })
        const jws = wallet.sign({ ...statement, iss: wallet.kid })
        expect([name, (await wallets.send(approvalDeliver, { jws })).code]).toEqual([name, codes.forbidden])
        forged.push(jws)
      }
      for (const approval of forged) {
        const answer = await thief.api.send(call, { ...fields, approval } as never)
        expect([name, answer.code]).not.toEqual([name, codes.ok])
      }
    }
    // Most acts name an object that exists, so an approval was begun for them, and only the key was a stranger's.
    expect(new Set(begun).size).toBeGreaterThan(5)
    expect(await stateOfMoney()).toEqual(before)
  })
})

describe('the last operator', () => {
  it('keeps the role, whether it is ended or made support', async () => {
    await expect(end(operator)).rejects.toMatchObject({ key: 'lastOperator' })
    const other = await app.createPerson('User', 'operator')
    const both = await Promise.allSettled([end(operator), end(other)])
    expect(both.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  })
})

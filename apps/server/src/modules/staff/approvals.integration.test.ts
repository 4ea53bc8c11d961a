/**
 * Acts that have to be approved in the wallet, from outside: a session alone is not enough, and each signature counts
 * once.
 */
import { decodeApproveCode } from '@atoll/contract/identity'
import {
  approvalBegin,
  approvalDecline,
  approvalDeliver,
  approvalRead,
  approvalState,
  customerSuspend,
  staffChange,
  staffPage,
} from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { createApiClient, createScriptedWallet, createSignInCode, type ScriptedWallet } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { createSealer, sha256Hex } from '../../platform/crypto.ts'
import { changeStaff, findAccountOfDid } from '../accounts/index.ts'
import { verifyAudit } from '../audit/index.ts'
import { createOperator } from './testing/operator.ts'

let app: TestApp
let wallet: ScriptedWallet
let operator: Person
let colleague: Person
/** A wallet's calls, without a session. */
const wallets = () => createApiClient(app.origin)
beforeAll(async () => {
  app = await openTestApp()
  wallet = createScriptedWallet()
  await wallet.register(app.origin)
  const { userid: did, token } = await wallet.signIn(app.origin)
  const userid = (await findAccountOfDid(app.database.db, did)) ?? ''
  operator = { userid, did, api: createApiClient(app.origin, { userid: did, token }) }
  await makeOperator(userid)
  colleague = await app.createPerson()
})
afterAll(() => app[Symbol.asyncDispose]())

const makeOperator = (userid: string) =>
  app.database.db
    .transaction()
    .execute((trx) =>
      changeStaff(trx, { userid, role: 'operator', source: { actor: 'system', ip: null }, now: new Date() }),
    )

const fieldsFor = (person: Person, role: 'support' | 'operator' | 'end' = 'support') => ({
  who: person.did,
  role,
  reason: 'joins on Monday',
})
const begin = (fields: object, person = operator) =>
  person.api.ask(approvalBegin, { act: 'staffChange', parameters: JSON.stringify(fields) })

/** The wallet reads the code, signs and delivers. */
async function signedBy(signer: ScriptedWallet, code: string, claims: object = {}): Promise<string> {
  const { message } = decodeApproveCode(code) ?? { message: { nonce: '' } }
  const { statement } = await wallets().ask(approvalRead, { nonce: message.nonce })
  return signer.sign({ ...statement, ...claims, iss: signer.kid })
}

const roleOf = async ({ did }: Person) =>
  (await operator.api.ask(staffPage, {})).members.find(({ person }) => person.userid === did)?.role

describe('an act that has to be approved', () => {
  it('is done once, with what the wallet was shown, read and signed', async () => {
    const fields = fieldsFor(colleague)
    const { nonce, code } = await begin(fields)
    expect(await operator.api.ask(approvalState, { nonce })).toEqual({ state: 'waiting', approval: null })
    const { statement, did, name, salt } = await wallets().ask(approvalRead, { nonce })
    expect(did).toBe(operator.did)
    expect(statement).toMatchObject({ act: 'staffChange', object: 'support', reason: fields.reason, nonce })
    expect(JSON.stringify(statement)).not.toContain(colleague.did)
    expect(sha256Hex(salt + name)).toBe(statement.nameHash)
    expect((await operator.api.ask(approvalState, { nonce })).state).toBe('read')
    await wallets().ask(approvalDeliver, { jws: await signedBy(wallet, code) })
    const { approval } = await operator.api.ask(approvalState, { nonce })
    await operator.api.ask(staffChange, { ...fields, approval: approval ?? '' })
    expect(await roleOf(colleague)).toBe('support')
    const again = await operator.api.send(staffChange, { ...fieldsFor(colleague, 'end'), approval: approval ?? '' })
    expect(again.message).toContain('used already')
    expect(await roleOf(colleague)).toBe('support')
  })

  it('is refused for other fields than were signed, for another signer, and to a session alone', async () => {
    const fields = fieldsFor(colleague, 'operator')
    const { code } = await begin(fields)
    const approval = await signedBy(wallet, code)
    const thief = createScriptedWallet()
    const stolen = await signedBy(thief, code)
    const send = (body: object) => operator.api.send(staffChange, { ...fields, ...body } as never)
    for (const changed of [{ role: 'end' }, { who: operator.did }, { reason: 'something else' }]) {
      expect((await send({ ...changed, approval })).message).toBe('This changed since you opened it. Look again.')
    }
    expect((await send({ approval: stolen })).code).toBe(codes.forbidden)
    expect((await send({ approval: 'a.b.c' })).code).not.toBe(codes.ok)
    expect((await wallets().send(approvalDeliver, { jws: stolen })).code).toBe(codes.forbidden)
    const more = await signedBy(wallet, code, { reason: 'I was shown another' })
    expect((await wallets().send(approvalDeliver, { jws: more })).message).toContain('changed')
    expect(await roleOf(colleague)).toBe('support')
  })

  it('is refused for other fields than were signed where the wallet does not show them', async () => {
    const fields = { accountId: colleague.userid, scope: 'servers', why: 'abuse', text: 'Tell us why.', reason: 'spam' }
    const { code } = await operator.api.ask(approvalBegin, { act: 'suspend', parameters: JSON.stringify(fields) })
    const approval = await signedBy(wallet, code)
    for (const changed of [{ text: 'Pay us first.' }, { why: 'unpaid' }, { until: '2099-01-01T00:00:00.000Z' }]) {
      const answer = await operator.api.send(customerSuspend, { ...fields, ...changed, approval } as never)
      expect(answer.message).toBe('This changed since you opened it. Look again.')
    }
  })

  it('is over once the wallet declined, or five minutes passed', async () => {
    const declined = await begin(fieldsFor(colleague, 'end'))
    const approval = await signedBy(wallet, declined.code)
    await wallets().ask(approvalDecline, { nonce: declined.nonce })
    // Nobody who knows the code takes that back.
    expect((await wallets().send(approvalRead, { nonce: declined.nonce })).code).not.toBe(codes.ok)
    expect((await operator.api.ask(approvalState, { nonce: declined.nonce })).state).toBe('declined')
    const late = await begin(fieldsFor(colleague, 'end'))
    const lateApproval = await signedBy(wallet, late.code)
    await sql`update approvals set expires_at = now() - interval '1 second' where nonce = ${late.nonce}`.execute(
      app.database.db,
    )
    for (const each of [approval, lateApproval]) {
      const answer = await operator.api.send(staffChange, { ...fieldsFor(colleague, 'end'), approval: each })
      expect(answer.message).toBe('The request expired. Nothing was changed.')
    }
    expect((await wallets().send(approvalRead, { nonce: late.nonce })).code).not.toBe(codes.ok)
  })

  it('is good for nothing once the page that asked is closed, though it was signed', async () => {
    const fields = fieldsFor(colleague, 'end')
    const { nonce, code } = await begin(fields)
    const approval = await signedBy(wallet, code)
    await wallets().ask(approvalDeliver, { jws: approval })
    await operator.api.ask(approvalDecline, { nonce })
    expect(await operator.api.ask(approvalState, { nonce })).toEqual({ state: 'declined', approval: null })
    expect((await operator.api.send(staffChange, { ...fields, approval })).code).toBe(codes.conflict)
  })

  it('cannot be signed in with, and a sign-in approves nothing', async () => {
    const { code, nonce } = await begin(fieldsFor(colleague, 'end'))
    const jws = await signedBy(wallet, code)
    const signIn = createSignInCode(app.origin)
    const post = async (path: string, body: object) =>
      (
        await fetch(app.origin + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json() as Promise<{ code: number }>
    expect((await post('/v2/user/login', { id: '1', jws, did: wallet.did })).code).toBe(codes.badParameter)
    const { jws: login } = wallet.approval(signIn.request)
    expect((await wallets().send(approvalDeliver, { jws: login })).code).toBe(codes.badParameter)
    expect((await operator.api.ask(approvalState, { nonce })).state).toBe('read')
  })

  it('is not done once the role of who approved it ends, be it while it is done', async () => {
    const leaving = await createOperator(app)
    const fields = fieldsFor(colleague, 'end')
    const { db } = app.database
    const before = await roleOf(colleague)
    const ended = Promise.withResolvers<void>()
    const ending = db.transaction().execute(async (trx) => {
      const source = { actor: 'system', ip: null } as const
      await changeStaff(trx, { userid: leaving.userid, role: null, source, now: new Date() })
      await ended.promise
    })
    const acting = leaving.act('staffChange', staffChange, fields)
    // It waits for the end of the role, or is done without a look at it.
    await Promise.race([acting, isWaitedFor()])
    ended.resolve()
    await ending
    expect((await acting).code).toBe(codes.forbidden)
    expect(await roleOf(colleague)).toBe(before)
  })

  it('names the field that is no JSON object', async () => {
    for (const parameters of ['', '{', '[]', '"who"', 'null'])
      expect(await operator.api.send(approvalBegin, { act: 'staffChange', parameters })).toMatchObject({
        code: codes.badParameter,
        message: 'parameters: must be an object, as JSON text',
      })
  })

  it('is asked for at most 30 times an hour, at once too', async () => {
    const eager = await app.createPerson('User', 'operator')
    const asked = await Promise.all(
      Array.from({ length: 34 }, () =>
        eager.api.send(approvalBegin, {
          act: 'staffChange',
          parameters: JSON.stringify(fieldsFor(colleague, 'end')),
        }),
      ),
    )
    expect(asked.filter(({ code }) => code === codes.ok).length).toBe(30)
    const other = await app.createPerson('User', 'operator')
    const fields = fieldsFor(colleague, 'end')
    for (let asked = 0; asked < 30; asked++) await begin(fields, other)
    const parameters = JSON.stringify(fields)
    expect(await other.api.send(approvalBegin, { act: 'staffChange', parameters })).toMatchObject({
      code: codes.tooManyRequests,
    })
  })
})

/** Comes when some transaction waits for a row that another holds. */
async function isWaitedFor(): Promise<void> {
  const { db } = app.database
  await expect
    .poll(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length
    })
    .toBeGreaterThan(0)
}

describe('the audit log', () => {
  const verify = () => verifyAudit(app.database.db, { sealer: createSealer(new TextEncoder().encode('x'.repeat(32))) })

  it('keeps the signature, which audit:verify checks', async () => {
    const { db } = app.database
    expect(await verify()).toMatchObject({ whole: true })
    const { rows } = await sql<{ after: string }>`select after from audit_entries
      where action = 'account.makeSupport' and actor = ${operator.did}`.execute(db)
    expect(rows.length).toBe(1)
    // As if somebody with the database had done it in the operator's name.
    await db.transaction().execute((trx) =>
      changeStaff(trx, {
        userid: colleague.userid,
        role: 'operator',
        now: new Date(),
        source: { actor: { userid: operator.userid, sessionId: null }, ip: null },
        approved: { reason: 'none at all', approval: createScriptedWallet().sign({ act: 'staffChange' }) },
      }),
    )
    expect(await verify()).toMatchObject({ whole: false, problem: expect.stringContaining('another key') })
  })
})

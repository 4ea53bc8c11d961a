import { emailCodesPerHour, type MailState } from '@atoll/contract/accounts'
import type { ErrorKey } from '@atoll/contract/api'
import { createScriptedWallet, createTestClock } from '@atoll/testkit'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../platform/caller.ts'
import { createSealer } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { insertAccount } from '../stores/account-store.ts'
import {
  cancelEmailCode,
  describeEmail,
  type EmailDeps,
  removeEmail,
  sendEmailCode,
  verifyEmailCode,
} from './email-service.ts'

const second = 1000
const minute = 60 * second
const clock = createTestClock(new Date('2026-06-01T12:00:00Z'))
const database = useDatabase()
let deps: EmailDeps
/** The posted mails, oldest first. */
let mails: { kind: string; to: string; code: string | undefined }[]
let mailState: MailState
beforeAll(async () => {
  deps = {
    db: database.db,
    clock,
    sealer: createSealer(Buffer.alloc(32, 7)),
    mail: {
      async post(_, order) {
        const { code } = order.params as { code?: string }
        mails.push({ kind: order.kind.kind, to: order.to, code })
        return `ml_${mails.length}`
      },
      findState: async () => mailState,
    },
  }
})
beforeEach(() => {
  mails = []
  mailState = 'sent'
  // Mails that other tests sent an hour ago no longer count.
  clock.advance(61 * minute)
})

async function newCaller(): Promise<Caller> {
  const { did } = createScriptedWallet()
  const account = { did, canCreateCluster: true, at: clock.now() }
  const { userid } = await database.db.transaction().execute((trx) => insertAccount(trx, account))
  return { userid, did, sessionId: 'ss_aaaaaaaa', role: 'User', ip: '127.0.0.1' }
}

const send = (caller: Caller, email: string) => sendEmailCode(deps, caller, { email, locale: 'en-US' })
const verify = (caller: Caller, email: string, code: string) =>
  verifyEmailCode(deps, caller, { email, code, locale: 'en-US' })
const lastCode = () => mails.findLast((mail) => mail.kind === 'emailCode')?.code ?? ''
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

async function outcome(work: Promise<unknown>): Promise<ErrorKey | 'done'> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Refusal) return error.key
    throw error
  }
}

/** An address nobody else has. */
let serial = 0
function newAddress(): string {
  serial += 1
  return `reader${serial}@lagoon.example`
}

describe('a code', () => {
  test('binds the address it was sent to, however it is spelt, and stands nowhere in the database', async () => {
    const caller = await newCaller()
    const email = newAddress()
    const pending = await send(caller, ` ${email.replace('lagoon', 'Lagoon')} `)
    expect(pending).toMatchObject({
      email: null,
      pending: { email, mail: 'sent', triesLeft: 5 },
    })
    expect(lastCode()).toMatch(/^\d{6}$/)
    const rows = await database.db.selectFrom('email_codes').selectAll().where('userid', '=', caller.userid).execute()
    expect(JSON.stringify(rows)).not.toContain(lastCode())
    const spaced = `${lastCode().slice(0, 3)} ${lastCode().slice(3)}`
    expect(await verify(caller, email, spaced)).toEqual({ email, pending: null })
  })

  test('works once', async () => {
    const caller = await newCaller()
    const email = newAddress()
    await send(caller, email)
    await verify(caller, email, lastCode())
    expect(await outcome(verify(caller, email, lastCode()))).toBe('emailCodeNone')
  })

  test('works for ten minutes', async () => {
    const caller = await newCaller()
    const email = newAddress()
    await send(caller, email)
    clock.advance(10 * minute - 1)
    const { pending } = await describeEmail(deps, caller.userid)
    expect(pending?.expireAt).toBe(new Date(clock.now().getTime() + 1).toISOString())
    clock.advance(1)
    expect(await outcome(verify(caller, email, lastCode()))).toBe('emailCodeExpired')
    expect((await describeEmail(deps, caller.userid)).pending).toBeNull()
  })

  test('can be mistyped four times, and not five', async () => {
    const caller = await newCaller()
    const [first, second] = [newAddress(), newAddress()]
    await send(caller, first)
    for (const left of [4, 3, 2, 1]) {
      await expect(verify(caller, first, otherThan(lastCode()))).rejects.toMatchObject({
        key: 'emailCodeWrong',
        params: { left },
      })
    }
    await verify(caller, first, lastCode())
    clock.advance(minute)
    await send(caller, second)
    for (let tries = 0; tries < 4; tries += 1) await outcome(verify(caller, second, 'abc'))
    expect(await outcome(verify(caller, second, otherThan(lastCode())))).toBe('emailCodeSpent')
    expect(await outcome(verify(caller, second, lastCode()))).toBe('emailCodeSpent')
  })

  test('has five tries even when fifty are made at once', async () => {
    const caller = await newCaller()
    const email = newAddress()
    await send(caller, email)
    const wrong = otherThan(lastCode())
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcome(verify(caller, email, wrong))))
    expect(outcomes.filter((one) => one === 'emailCodeWrong')).toHaveLength(4)
    expect(outcomes.filter((one) => one === 'emailCodeSpent')).toHaveLength(46)
  })

  test('of an older mail, of another address, or of somebody else is none', async () => {
    const [caller, other] = [await newCaller(), await newCaller()]
    const [first, second] = [newAddress(), newAddress()]
    await send(caller, first)
    const older = lastCode()
    clock.advance(minute)
    await send(caller, second)
    expect(await outcome(verify(caller, first, older))).toBe('emailCodeNone')
    expect(await outcome(verify(caller, second, older))).toBe(older === lastCode() ? 'done' : 'emailCodeWrong')
    expect(await outcome(verify(other, second, lastCode()))).toBe('emailCodeNone')
  })
})

describe('mails are limited', () => {
  test('to one a minute and five an hour for an account, whatever the addresses', async () => {
    const caller = await newCaller()
    await send(caller, newAddress())
    clock.advance(59 * second)
    await expect(send(caller, newAddress())).rejects.toMatchObject({ key: 'emailCodeTooSoon', params: { seconds: 1 } })
    for (let sent = 1; sent < emailCodesPerHour; sent += 1) {
      clock.advance(minute)
      await send(caller, newAddress())
    }
    clock.advance(minute)
    await expect(send(caller, newAddress())).rejects.toMatchObject({ key: 'emailCodeTooMany', params: { minutes: 55 } })
    clock.advance(56 * minute)
    expect(await outcome(send(caller, newAddress()))).toBe('done')
  })

  test('and as many for a mailbox, from any account and however it is spelt', async () => {
    const email = newAddress()
    for (let sent = 0; sent < emailCodesPerHour; sent += 1) {
      await send(await newCaller(), sent % 2 ? email : email.toUpperCase())
      expect(await outcome(send(await newCaller(), email))).toBe('emailCodeTooSoon')
      clock.advance(minute)
    }
    expect(await outcome(send(await newCaller(), email))).toBe('emailCodeTooMany')
    expect(mails).toHaveLength(emailCodesPerHour)
  })

  test('and for all aliases of a mailbox together', async () => {
    const [name, host] = newAddress().split('@')
    const aliases = Array.from({ length: 30 }, (_, at) => `${name}+${at}@${host}`)
    const outcomes: string[] = []
    for (const alias of aliases) {
      outcomes.push(await outcome(send(await newCaller(), alias)))
      clock.advance(minute)
    }
    expect(outcomes).toEqual([...Array(emailCodesPerHour).fill('done'), ...Array(25).fill('emailCodeTooMany')])
    expect(mails).toHaveLength(emailCodesPerHour)
  })

  test('also when all ask at once', async () => {
    const caller = await newCaller()
    const email = newAddress()
    const others = await Promise.all(Array.from({ length: 5 }, newCaller))
    const outcomes = await Promise.all([
      ...Array.from({ length: 5 }, () => outcome(send(caller, newAddress()))),
      ...others.map((other) => outcome(send(other, email))),
    ])
    expect(outcomes.slice(0, 5).filter((one) => one === 'done')).toHaveLength(1)
    expect(outcomes.slice(5).filter((one) => one === 'done')).toHaveLength(1)
  })
})

describe('the bound address', () => {
  async function bound(): Promise<{ caller: Caller; email: string }> {
    const caller = await newCaller()
    const email = newAddress()
    await send(caller, email)
    await verify(caller, email, lastCode())
    clock.advance(minute)
    return { caller, email }
  }

  test('stays until the new one is proven, and the old one gets a notice', async () => {
    const { caller, email } = await bound()
    const next = newAddress()
    expect(await send(caller, next)).toMatchObject({ email, pending: { email: next } })
    expect(await verify(caller, next, lastCode())).toEqual({ email: next, pending: null })
    expect(mails.at(-1)).toMatchObject({ kind: 'emailUnlinked', to: email })
  })

  test('is not sent a code again', async () => {
    const { caller, email } = await bound()
    expect(await outcome(send(caller, email))).toBe('emailAlreadyBound')
  })

  test('stays when the code for another one is given up, which no longer works, and spares no pause', async () => {
    const { caller, email } = await bound()
    const next = newAddress()
    await send(caller, next)
    const code = lastCode()
    for (let time = 0; time < 2; time += 1)
      expect(await cancelEmailCode(deps, caller.userid)).toEqual({ email, pending: null })
    expect(await outcome(verify(caller, next, code))).toBe('emailCodeNone')
    expect(await outcome(send(caller, next))).toBe('emailCodeTooSoon')
  })

  test('can be removed, which forgets an awaited code, notifies the address, and can be repeated', async () => {
    const { caller, email } = await bound()
    const next = newAddress()
    await send(caller, next)
    const code = lastCode()
    for (let time = 0; time < 2; time += 1)
      expect(await removeEmail(deps, caller, 'en-US')).toEqual({ email: null, pending: null })
    expect(mails.filter((mail) => mail.kind === 'emailUnlinked').map((mail) => mail.to)).toEqual([email])
    expect(await outcome(verify(caller, next, code))).toBe('emailCodeNone')
  })

  test('changes together with its record in the audit log', async () => {
    const { caller, email } = await bound()
    await removeEmail(deps, caller, 'en-US')
    const { rows } = await database.pool.query(
      `select action, before, after from audit_drafts where object_id = $1
       union all select action, before, after from audit_entries where object_id = $1`,
      [caller.did],
    )
    expect(rows.map((row) => row.action).sort()).toEqual(['account.removeEmail', 'account.setEmail'])
    expect(JSON.stringify(rows)).toContain(email)
  })
})

test.each(['lena', 'lena@localhost', 'lena@lagoon.example\r\nBcc: all@reef.example', '"a b"@lagoon.example'])(
  '%j gets no mail',
  async (email) => {
    expect(await outcome(send(await newCaller(), email))).toBe('emailMalformed')
    expect(mails).toEqual([])
  },
)

test('a mail that is on its way, late or lost is shown as such', async () => {
  const caller = await newCaller()
  await send(caller, newAddress())
  for (const state of ['waiting', 'delayed', 'failed', 'sent'] as const) {
    mailState = state
    expect((await describeEmail(deps, caller.userid)).pending?.mail).toBe(state)
  }
})

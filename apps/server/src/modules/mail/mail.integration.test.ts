import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScriptedWallet, findFreePorts, until } from '@atoll/testkit'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createSealer } from '../../platform/crypto.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { startWorker } from '../../platform/jobs/index.ts'
import { silentLog } from '../../platform/log.ts'
import { makeAccount } from '../accounts/testing/make-account.ts'
import { openOutbox } from './drivers/outbox/outbox-folder.ts'
import { billingMail, createMail, emailCodeMail, type Mail } from './index.ts'
import { startMailServer } from './testing/mail-server.ts'

const sealer = createSealer(Buffer.alloc(32, 7))
const database = useDatabase()
let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'atoll-mail-'))
})
afterAll(async () => {
  rmSync(dataDir, { recursive: true })
})

function mailBy(smtpUrl: string | undefined): Mail {
  return createMail({
    db: database.db,
    clock: systemClock,
    sealer,
    readInvoice: async ({ invoiceId }) => ({ number: 'ATL-0034', bytes: Buffer.from(invoiceId) }),
    config: {
      smtpUrl,
      smtpCaFile: undefined,
      mailFrom: '"Atoll" <no-reply@atoll.test>',
      product: 'Atoll',
      publicUrl: 'https://console.atoll.test',
      dataDir,
      databaseUrl: undefined,
      host: '127.0.0.1',
      trustProxy: 0,
    },
  })
}

async function newAccount(): Promise<string> {
  return (await makeAccount(database.db)).userid
}

/** Posts a code to somebody new; gives the mail's id. */
async function postCode(mail: Mail, options: { to?: string; code?: string; usableMs?: number; locale?: 'zh-CN' } = {}) {
  const userid = await newAccount()
  return await database.db.transaction().execute((trx) =>
    mail.post(trx, {
      kind: emailCodeMail,
      params: { code: options.code ?? '123456', account: 'lena@atoll.test' },
      userid,
      to: options.to ?? 'lena@lagoon.example',
      locale: options.locale ?? 'en-US',
      usableUntil: new Date(Date.now() + (options.usableMs ?? 600_000)),
    }),
  )
}

/** Runs jobs until the mail is in that state. */
async function runUntil(mail: Mail, id: string, state: 'sent' | 'delayed' | 'failed'): Promise<void> {
  const connection = { connectionString: database.url }
  const worker = await startWorker({ connection, jobs: mail.jobs, log: silentLog })
  try {
    await until(`the mail is ${state}`, async () => (await mail.findState(database.db, id)) === state)
  } finally {
    await worker.stop()
  }
}

const rowOf = (id: string) => database.db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a mail', () => {
  test('goes into the outbox as one file that only we may read, and what it says is forgotten', async () => {
    const mail = mailBy(undefined)
    const id = await postCode(mail, { code: '424242' })
    expect((await rowOf(id)).params).not.toContain('424242')
    await runUntil(mail, id, 'sent')
    expect(await rowOf(id)).toMatchObject({ state: 'sent', params: null, attempts: 1, failure: null })
    const folder = join(dataDir, 'outbox')
    const [name = ''] = readdirSync(folder).filter((file) => file.includes(id))
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    const source = await openOutbox({ folder, from: '' }).read(name)
    const parsed = await PostalMime.parse(source ?? '')
    expect(parsed).toMatchObject({ subject: '424242 is your Atoll code', messageId: `<${id}@console.atoll.test>` })
    expect(parsed.to).toEqual([{ name: '', address: 'lena@lagoon.example' }])
    for (const form of [parsed.text, parsed.html]) expect(form).toContain('424242')
  })

  test('is written in Chinese, without a word of English but names', async () => {
    const mail = mailBy(undefined)
    const id = await postCode(mail, { locale: 'zh-CN' })
    await runUntil(mail, id, 'sent')
    const outbox = openOutbox({ folder: join(dataDir, 'outbox'), from: '' })
    const name = (await outbox.list()).find((file) => file.includes(id)) ?? ''
    const { text = '', html = '' } = await PostalMime.parse((await outbox.read(name)) ?? '')
    const words = text.replaceAll(/Atoll|lena@atoll\.test|https:\/\/console\.atoll\.test/g, '')
    expect(words).not.toMatch(/[A-Za-z]{2,}/)
    expect(html).toContain('<html lang="zh-CN">')
  })

  test('loads nothing from elsewhere and escapes what is not ours', async () => {
    const mail = mailBy(undefined)
    const id = await postCode(mail, { code: '<img src=x>' })
    await runUntil(mail, id, 'sent')
    const outbox = openOutbox({ folder: join(dataDir, 'outbox'), from: '' })
    const name = (await outbox.list()).find((file) => file.includes(id)) ?? ''
    const { html = '' } = await PostalMime.parse((await outbox.read(name)) ?? '')
    expect(html).not.toMatch(/<(img|script|link|a)\b|url\(|<[^>]*\s(src|href)=/i)
    expect(html).toContain('&lt;img src=x&gt;')
  })

  test('about money goes through a mail server with each of its amounts, as text and as HTML', async () => {
    await using server = await startMailServer()
    const mail = mailBy(`smtp://127.0.0.1:${server.port}`)
    const userid = await newAccount()
    const rows = [
      { label: 'Rangiroa 主节点，Bay 4', value: '¥99.00' },
      { label: '优惠券 <REEF10>', value: '−¥9.90' },
    ]
    const words = { subject: '已支付 ¥89.10', preview: 'Rangiroa。', heading: '已支付 ¥89.10', before: ['Rangiroa。'] }
    const id = await database.db.transaction().execute((trx) =>
      mail.post(trx, {
        kind: billingMail,
        userid,
        to: 'lena@lagoon.example',
        locale: 'zh-CN',
        params: {
          ...words,
          account: 'lena@atoll.test',
          table: { rows, total: { label: '总额', value: '¥89.10' } },
          after: ['支付方式：余额 ¥89.10。'],
          pdfOf: 'inv_1',
        },
        usableUntil: new Date(Date.now() + 600_000),
      }),
    )
    await runUntil(mail, id, 'sent')
    const [taken] = server.mails
    const file = { filename: 'ATL-0034.pdf', mimeType: 'application/pdf' }
    expect(taken).toMatchObject({
      to: ['lena@lagoon.example'],
      parsed: { subject: words.subject, attachments: [file] },
    })
    expect(taken?.parsed.text).toContain(
      '  Rangiroa 主节点，Bay 4  ¥99.00\n  优惠券 <REEF10>  −¥9.90\n  总额  ¥89.10\n',
    )
    for (const text of ['¥99.00', '优惠券 &lt;REEF10&gt;', '−¥9.90', '总额', '支付方式：余额 ¥89.10。']) {
      expect(taken?.parsed.html).toContain(text)
    }
  })

  test('waits while the mail server is down, says so, and is sent when it is back, once', async () => {
    const [port = 0] = await findFreePorts(1)
    const mail = mailBy(`smtp://127.0.0.1:${port}`)
    const id = await postCode(mail)
    await runUntil(mail, id, 'delayed')
    expect(await rowOf(id)).toMatchObject({
      attempts: 1,
      ended_at: null,
      failure: expect.stringContaining('ECONNREFUSED'),
    })

    await using back = await startMailServer({ port })
    // The next try is due in some seconds; it is not waited for here.
    await makeDue(id)
    await runUntil(mail, id, 'sent')
    expect(back.mails.map((one) => one.parsed.messageId)).toEqual([`<${id}@console.atoll.test>`])
    expect(await rowOf(id)).toMatchObject({ attempts: 2, params: null, failure: null })
  })

  test('to a mailbox that does not exist is given up at once', async () => {
    await using server = await startMailServer()
    const mail = mailBy(`smtp://127.0.0.1:${server.port}`)
    const id = await postCode(mail, { to: 'refused@lagoon.example' })
    await runUntil(mail, id, 'failed')
    expect(await rowOf(id)).toMatchObject({ attempts: 1, params: null, failure: expect.stringContaining('550') })
  })

  test('that is of no use any more is not sent', async () => {
    await using server = await startMailServer()
    const mail = mailBy(`smtp://127.0.0.1:${server.port}`)
    const id = await postCode(mail, { usableMs: -1 })
    await runUntil(mail, id, 'failed')
    expect(server.mails).toEqual([])
  })

  test('whose handing over was not written down before a crash is handed over again as the same mail', async () => {
    await using server = await startMailServer()
    const mail = mailBy(`smtp://127.0.0.1:${server.port}`)
    const id = await postCode(mail)
    const { params } = await rowOf(id)
    await runUntil(mail, id, 'sent')
    await database.db
      .updateTable('mails')
      .set({ state: 'waiting', ended_at: null, params })
      .where('id', '=', id)
      .execute()
    const [send] = mail.jobs
    await send?.run({ mailId: id }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    expect(server.mails).toHaveLength(2)
    expect(new Set(server.mails.map((one) => one.parsed.messageId)).size).toBe(1)
  })
})

async function makeDue(id: string): Promise<void> {
  const key = `mail.send:${id}`
  const result =
    await sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key = ${key}), run_at => now())`.execute(
      database.db,
    )
  expect(result.rows).toHaveLength(1)
}

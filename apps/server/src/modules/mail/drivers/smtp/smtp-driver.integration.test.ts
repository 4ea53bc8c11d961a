import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailUser, startMailServer, type TestMailServer, testCertificate } from '../../testing/mail-server.ts'
import { type MailDriver, MailRefused, type OutgoingMail } from '../mail-driver.ts'
import { createSmtpDriver } from './smtp-driver.ts'

let server: TestMailServer
beforeAll(async () => {
  server = await startMailServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const mail: OutgoingMail = {
  messageId: 'ml_abcdefgh@atoll.test',
  to: 'lena@lagoon.example',
  subject: '123456 是你的 Atoll 验证码',
  html: '<p>你好</p>',
  text: '你好\n',
  date: new Date('2026-06-01T12:00:00Z'),
}
const credentials = `${mailUser.name}:${encodeURIComponent(mailUser.password)}@`
/** A form of 127.0.0.1 that is not known to be this machine: as a server elsewhere is treated. */
const elsewhere = '[::ffff:127.0.0.1]'

function driverTo(host: string, options: { auth?: string; ca?: string | undefined } = {}): MailDriver {
  const { auth = credentials, ca = testCertificate } = options
  return createSmtpDriver({ url: `smtp://${auth}${host}:${server.port}`, from: '"Atoll" <no-reply@atoll.test>', ca })
}

async function failureOf(driver: MailDriver, to = mail.to): Promise<Error> {
  const error = await driver.deliver({ ...mail, to }).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('the mail was taken')
  return error
}

describe('a mail server', () => {
  test('gets the mail over STARTTLS, with the password, under its own Message-ID', async () => {
    await driverTo(elsewhere).deliver(mail)
    const [taken] = server.mails.slice(-1)
    expect(taken).toMatchObject({ to: [mail.to], from: 'no-reply@atoll.test', secure: true })
    expect(taken?.parsed).toMatchObject({
      subject: mail.subject,
      text: mail.text,
      messageId: '<ml_abcdefgh@atoll.test>',
      from: { name: 'Atoll', address: 'no-reply@atoll.test' },
    })
    expect(taken?.parsed.html?.trim()).toBe(mail.html)
    expect(new Date(taken?.parsed.date ?? 0)).toEqual(mail.date)
  })

  test('whose certificate is not trusted gets nothing', async () => {
    const before = server.mails.length
    const error = await failureOf(
      createSmtpDriver({ url: `smtp://${elsewhere}:${server.port}`, from: 'a@b.test', ca: undefined }),
    )
    expect(error).not.toBeInstanceOf(MailRefused)
    expect(server.mails).toHaveLength(before)
  })

  test('on this machine may have a certificate that it made itself', async () => {
    await driverTo('127.0.0.1', { ca: undefined }).deliver(mail)
    expect(server.mails.at(-1)?.secure).toBe(true)
  })

  test('that refuses the password may take it later: the operator mends that', async () => {
    expect(await failureOf(driverTo('localhost', { auth: 'atoll:wrong@' }))).not.toBeInstanceOf(MailRefused)
  })

  test('that has no such mailbox is not asked again', async () => {
    expect(await failureOf(driverTo('localhost'), 'refused@lagoon.example')).toBeInstanceOf(MailRefused)
  })

  test('that is busy is', async () => {
    expect(await failureOf(driverTo('localhost'), 'busy@lagoon.example')).not.toBeInstanceOf(MailRefused)
  })

  test('that is away is', async () => {
    const away = await startMailServer()
    await away[Symbol.asyncDispose]()
    const driver = createSmtpDriver({ url: `smtp://127.0.0.1:${away.port}`, from: 'a@b.test', ca: undefined })
    expect(await failureOf(driver)).not.toBeInstanceOf(MailRefused)
  })
})

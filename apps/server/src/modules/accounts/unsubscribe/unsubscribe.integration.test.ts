/** Optional mails end by a press in the mail program, by one on the page, or in the profile, and by nobody else. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { composedOf } from '../../mail/drivers/mail-driver.ts'
import { makeUnsubscribeToken } from '../../mail/unsubscribe-token.ts'
import { changeMailChoice, listMailChoices } from '../account-service.ts'
import { findAddressee } from '../index.ts'
import { type ServiceApp, startServiceApp } from '../service-app.fixture.ts'
import { makeAccount } from '../testing/make-account.ts'

let app: ServiceApp
const sealer = createSealer(Buffer.alloc(32, 7))
let userid: string
beforeAll(async () => {
  app = await startServiceApp()
  userid = (await makeAccount(app.db, { email: 'lena@example.com' })).userid
})
afterAll(() => app[Symbol.asyncDispose]())

const off = async () => (await findAddressee(app.db, userid))?.mailsOff
const addressOf = (mail: 'alerts' | 'usage') =>
  `${app.origin}/unsubscribe/${makeUnsubscribeToken(sealer, { userid, mail })}`
/** As RFC 8058 has mail programs send it. */
const oneClick = 'List-Unsubscribe=One-Click'

test('a request of a mail program ends the kind of its mail, in either form of body, and again changes nothing', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const init of [{ headers, body: oneClick }, { body: formOf(oneClick) }, { headers, body: oneClick }])
    expect((await fetch(addressOf('alerts'), { method: 'POST', ...init })).status).toBe(200)
  expect(await off()).toEqual(['alerts'])
})

test('the page asks before, as programs open every link of a mail', async () => {
  const page = await fetch(addressOf('usage'), { headers: { 'accept-language': 'zh-CN' } })
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page.text()).toContain('停止接收套餐用量邮件？')
  expect(await off()).toEqual(['alerts'])
})

test('the profile switches each on again', async () => {
  await changeMailChoice(app.db, { userid, mail: 'usage', isOn: false })
  await changeMailChoice(app.db, { userid, mail: 'alerts', isOn: true })
  expect((await listMailChoices(app.db, userid)).mails).toEqual([
    { mail: 'alerts', isOn: true },
    { mail: 'usage', isOn: false },
    { mail: 'reminders', isOn: true },
  ])
})

test('nothing but a token of this deployment does it', async () => {
  const { pathname } = new URL(addressOf('alerts'))
  const other = createSealer(Buffer.alloc(32, 8))
  for (const path of [
    pathname.slice(0, -4),
    `/unsubscribe/${sealer.seal('unsubscribe link', JSON.stringify({ userid, mail: 'alerts' }))}`,
    `/unsubscribe/${makeUnsubscribeToken(other, { userid, mail: 'alerts' })}`,
    '/unsubscribe/v1.AAAA',
  ])
    expect((await fetch(app.origin + path, { method: 'POST', body: new URLSearchParams(oneClick) })).status).toBe(404)
  expect(await off()).toEqual(['usage'])
})

test('the headers stand on optional mails alone', () => {
  const mail = { messageId: 'a@b', to: 'lena@example.com', subject: '', html: '', text: '', date: new Date() }
  expect(composedOf(mail, 'Atoll')).not.toHaveProperty('headers')
  expect(composedOf({ ...mail, unsubscribeUrl: 'https://atoll.test/unsubscribe/x' }, 'Atoll')).toMatchObject({
    headers: {
      'List-Unsubscribe': '<https://atoll.test/unsubscribe/x>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  })
})

function formOf(text: string): FormData {
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(text)) form.set(name, value)
  return form
}

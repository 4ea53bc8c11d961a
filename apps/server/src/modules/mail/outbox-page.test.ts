import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerErrors } from '../../http/request/answers.ts'
import { openOutbox } from './drivers/outbox/outbox-folder.ts'
import { isOutboxShown, outboxPlugin } from './outbox-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'atoll-outbox-'))
const outbox = openOutbox({ folder, from: '"Atoll" <no-reply@atoll.test>' })
const app = fastify()
app.decorateRequest('answerCode', 0)
answerErrors(app)
const mail = {
  messageId: 'ml_abcdefgh@atoll.test',
  to: 'lena@lagoon.example',
  subject: '<b>123456</b>',
  html: '<p>hello</p><script>alert(1)</script>',
  text: 'hello',
  date: new Date('2026-06-01T12:00:00Z'),
}
beforeAll(async () => {
  await app.register(outboxPlugin(outbox, 'Atoll'))
  await outbox.deliver(mail)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const file = '/outbox/20260601T120000Z-ml_abcdefgh.eml'
const ask = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  app.inject({ url, remoteAddress, headers: { host: 'localhost:4800', ...headers } })

describe('the outbox', () => {
  test.each([
    ['en-US', 'Outbox'],
    ['zh-CN', '发件箱'],
  ])('is shown in %s, escaped, and may load nothing', async (locale, title) => {
    const page = await ask('/outbox', { 'accept-language': locale })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(`<h1>${title}</h1>`)
    expect(page.body).toContain('&lt;b&gt;123456')
    expect(page.body).toContain('lena@lagoon.example')
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'/)
  })

  test('opens the last mail, and no other', async () => {
    await outbox.deliver({ ...mail, messageId: 'ml_earlier1@atoll.test', date: new Date('2026-05-01T12:00:00Z') })
    const [, last, earlier] = (await ask('/outbox')).body.split('<article')
    expect(last).toContain('<details open><summary>Formatted')
    expect(last).toContain('ml_abcdefgh')
    expect(earlier).not.toContain('<details open')
  })

  test('is set in the product’s fonts, which it gives to nobody else', async () => {
    const page = await ask('/outbox')
    expect(page.headers['content-security-policy']).toContain("font-src 'self'")
    const paths = [...page.body.matchAll(/url\(([^)]+)\)/g)].map(([, path = '']) => path)
    expect(paths).toHaveLength(2)
    for (const path of paths) {
      const font = await ask(path)
      expect(font.headers['content-type']).toBe('font/woff2')
      expect(font.rawPayload.subarray(0, 4).toString()).toBe('wOF2')
      expect((await ask(path, {}, '203.0.113.9')).json()).toMatchObject({ code: 404 })
    }
    expect((await ask('/outbox/fonts/other.woff2')).json()).toMatchObject({ code: 404 })
  })

  test('shows a mail in a frame that may do nothing, and gives its file', async () => {
    const html = await ask(`${file}?as=html`)
    expect(html.headers['content-security-policy']).toContain('sandbox')
    expect(html.headers['content-security-policy']).not.toContain('script-src')
    const source = await ask(file)
    expect(source.headers['content-type']).toBe('message/rfc822')
    expect(source.body).toContain('Message-ID: <ml_abcdefgh@atoll.test>')
  })

  test.each([
    ['another machine', {}, '203.0.113.9'],
    ['a name that leads here', { host: 'rebound.example' }, '127.0.0.1'],
  ])('does not exist for %s', async (_, headers, address) => {
    for (const url of ['/outbox', file, `${file}?as=html`])
      expect((await ask(url, headers, address)).body).not.toContain('lena')
  })

  test.each([
    ...['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'cf-connecting-ip', 'forwarded', 'via'],
    ...['true-client-ip', 'x-client-ip', 'x-cluster-client-ip', 'fly-client-ip', 'x-original-host', 'x-envoy-peer'],
  ])('does not exist behind a proxy on this machine that adds %s', async (header) =>
    expect((await ask('/outbox', { [header]: 'stranger' })).body).not.toContain('lena'),
  )

  test.each(['/outbox/..%2f..%2fsecret.key', '/outbox/secret.key', '/outbox/20260601T120000Z-ml_nothing1.eml'])(
    '%s is nothing',
    async (url) => expect((await ask(url)).json()).toMatchObject({ code: 404 }),
  )
})

const local = { databaseUrl: undefined, host: '127.0.0.1', publicUrl: 'http://localhost:4800', trustProxy: 0 }
test.each([
  [{}, true],
  [{ host: 'localhost' }, true],
  [{ host: '::1', publicUrl: 'http://[::1]:4800' }, true],
  [{ host: '0.0.0.0' }, false],
  [{ host: '192.168.1.4' }, false],
  [{ trustProxy: 1 }, false],
  // A proxy that adds no header and names its upstream as the host: nothing in the request gives it away.
  [{ publicUrl: 'https://console.example' }, false],
  [{ databaseUrl: 'postgres://db/atoll' }, false],
])('with %j it is shown: %s', (change, isShown) => expect(isOutboxShown({ ...local, ...change })).toBe(isShown))

import {
  paymentMethodAdd,
  paymentMethodDefault,
  paymentMethodDelete,
  paymentMethodList,
  paymentMethodUpdate,
} from '@atoll/contract/payments'
import { type ApiClient, until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSealer } from '../../platform/crypto.ts'
import { startWholeServer, type WholeServer } from '../../testing/whole-server.ts'
import { sign, signatureHeader } from './drivers/sandbox/sandbox-events.ts'
import { testNumbers } from './drivers/sandbox/test-numbers.ts'

let server: WholeServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.close())

/** Follows the address that a call gave to the gateway's page, as a browser does. */
async function openPage(url: string): Promise<string> {
  const answer = await fetch(url, { redirect: 'manual' })
  expect(answer.status).toBe(303)
  return answer.headers.get('location') ?? ''
}
const typeCard = (page: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers })
const cardOf = (number: string) => ({ number, expiry: '12/40', cvc: '123' })
const list = async (api: ApiClient) => (await api.ask(paymentMethodList, {})).methods

/** Adds a card and waits until it is there. */
async function addCard(api: ApiClient, number = '4242424242424242'): Promise<string> {
  const before = new Set((await list(api)).map(({ id }) => id))
  const { url } = await api.ask(paymentMethodAdd, {})
  expect((await typeCard(await openPage(url), cardOf(number))).status).toBe(303)
  await until('the card is there', async () => (await list(api)).some(({ id }) => !before.has(id)))
  return (await list(api)).find(({ id }) => !before.has(id))?.id ?? ''
}

describe('a card', () => {
  test('is entered on a page that leads back, and is the default when it is the first', async () => {
    const { api, userid } = await server.createPerson()
    const { url } = await api.ask(paymentMethodAdd, { returnTo: '/payment/pay_1' })
    const back = await typeCard(await openPage(url), cardOf('5555555555554444'))
    expect(back.headers.get('location')).toBe(`${server.origin}/payment/pay_1`)
    await until('the card is there', async () => (await list(api)).length === 1)
    expect(await list(api)).toEqual([
      {
        id: expect.stringMatching(/^pm_/),
        cardBrand: 'mastercard',
        cardLast4: '4444',
        expMonth: 12,
        expYear: 2040,
        isDefault: true,
        state: 'active',
        lastDeclinedAt: null,
      },
    ])
    const changes = server.database.db.selectFrom('changes').select('topic').where('account', '=', userid)
    expect((await changes.execute()).map(({ topic }) => topic)).toContain('billing')
  })

  test('that is chosen, replaced or removed leaves one default', async () => {
    const { api } = await server.createPerson()
    const [first, second] = [await addCard(api), await addCard(api, '5555555555554444')]
    expect((await list(api)).filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([first])
    await api.ask(paymentMethodDefault, { id: second })
    const { url } = await api.ask(paymentMethodUpdate, { id: second })
    await typeCard(await openPage(url), cardOf('4000000000003220'))
    await until('it is replaced', async () => (await list(api)).every(({ id }) => id !== second))
    const [third, ...rest] = await list(api)
    expect([third?.cardLast4, third?.isDefault, rest.map(({ id }) => id)]).toEqual(['3220', true, [first]])
    await api.ask(paymentMethodDelete, { id: third?.id ?? '' })
    expect((await list(api)).map(({ id, isDefault }) => [id, isDefault])).toEqual([[first, true]])
    await api.ask(paymentMethodDelete, { id: first })
    expect(await list(api)).toEqual([])
    const attached = server.database.db.selectFrom('sandbox_cards').select('id').where('detached_at', 'is', null)
    await until('the gateway forgot it', async () => {
      const refs = server.database.db.selectFrom('payment_methods').select('card_ref').where('id', '=', first)
      return (await attached.where('id', 'in', refs).execute()).length === 0
    })
  })

  test('is asked for once by one request key', async () => {
    const { api } = await server.createPerson()
    const asked = await api.ask(paymentMethodAdd, { requestId: 'add-one-card' })
    expect(await api.ask(paymentMethodAdd, { requestId: 'add-one-card' })).toEqual(asked)
  })

  test('of a number that was typed is nowhere: not in a table, the log or a mail', async () => {
    const { api } = await server.createPerson()
    for (const { number } of testNumbers) {
      const { url } = await api.ask(paymentMethodAdd, {})
      const page = await openPage(url)
      for (const typed of [number, `${number.slice(0, 4)} ${number.slice(4)}`])
        expect(await (await typeCard(page, { ...cardOf(typed), cvc: '12' })).text()).not.toContain(`value="`)
      await typeCard(page, cardOf(number))
      await fetch(page, { method: 'POST', body: '{"number":', headers: { 'content-type': 'application/json' } })
    }
    const saved = testNumbers.filter(({ adding }) => 'charging' in adding)
    await until('the cards are there', async () => (await list(api)).length === saved.length)
    const everything = await server.readEverything()
    expect(everything).toContain('4242')
    for (const { number } of testNumbers)
      expect(everything).not.toMatch(new RegExp(number.replaceAll(/(\d{4})\B/g, '$1[ -]?')))
  })

  test.each([
    ['returnTo', 'https://elsewhere.example/'],
    ['returnTo', '//elsewhere.example'],
    ['returnTo', '/\\elsewhere.example'],
    ['returnTo', '/billing?next=//elsewhere.example'],
    ['requestId', 'no key!'],
  ])('is not asked for with the %s %s', async (field, value) => {
    const { api } = await server.createPerson()
    expect(await api.send(paymentMethodAdd, { [field]: value })).toMatchObject({
      code: 501,
      message: expect.stringMatching(new RegExp(`^${field}: `)),
    })
  })
})

describe('the card page', () => {
  const open = async (locale: 'en-US' | 'zh-CN' = 'en-US') => {
    const { api } = await server.createPerson()
    const { url } = await api.ask(paymentMethodAdd, {}, { locale })
    return await openPage(url)
  }

  test.each([
    ['number', '', 'Enter a card number.'],
    ['number', '4242424242424241', 'This is not a card number.'],
    ['number', '4111111111111111', 'This is not one of the test numbers. Never enter a real card here.'],
    ['expiry', '13/40', 'Enter the month and the year'],
    ['expiry', '01/20', 'This date is in the past.'],
    ['cvc', '12', 'Enter three digits.'],
  ])('says at the field %s what is wrong with "%s"', async (field, value, sentence) => {
    const answer = await typeCard(await open(), { ...cardOf('4242424242424242'), [field]: value })
    const html = await answer.text()
    expect(answer.status).toBe(422)
    expect(html.match(/<span class="fault" id="(\w+)-fault">([^<]+)/)?.slice(1)).toEqual([
      field,
      expect.stringContaining(sentence),
    ])
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(1)
  })

  test.each([
    ['4000000000000002', 'en-US', 'The bank declined the card'],
    ['4000000000009995', 'zh-CN', '卡内余额不足'],
    ['4000000000000069', 'en-US', 'The card has expired'],
  ] as const)('shows in words that %s is declined', async (number, locale, sentence) => {
    const html = await (await typeCard(await open(locale), cardOf(number))).text()
    expect(html).toContain(`<html lang="${locale}">`)
    expect(html).toMatch(new RegExp(`<p class="refused" role="alert">${sentence}`))
  })

  test('loads nothing, runs nothing, and is in no frame', async () => {
    const answer = await fetch(await open('zh-CN'))
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; frame-ancestors 'none'/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const html = await answer.text()
    expect(html).not.toMatch(/<script|<img|<link|https?:\/\/(?!127)/)
    expect(html).toContain('沙盒')
  })

  test('has an address whose proof is in no line of the log', async () => {
    const page = await open()
    await fetch(page)
    await typeCard(page, cardOf('4242424242424242'))
    await until('it was logged', () => server.readLog().includes('/pay/sandbox/card/:id/:proof'))
    expect(server.readLog()).not.toContain(page.split('/').at(-1))
  })

  test('takes a form from no other site, and is nowhere without its proof', async () => {
    const page = await open()
    for (const site of ['cross-site', 'same-site'])
      expect((await typeCard(page, cardOf('4242424242424242'), { 'sec-fetch-site': site })).status).toBe(404)
    expect((await fetch(`${page.slice(0, -1)}x`)).status).toBe(404)
    expect((await typeCard(page, cardOf('4242424242424242'), { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
    expect((await typeCard(page, cardOf('4242424242424242'))).status).toBe(200)
  })
})

describe('a webhook', () => {
  const secret = createSealer(Buffer.from('a key for this test alone, 32 characters')).derive('sandbox webhooks')
  const send = (body: string | Buffer, signature: string, { origin } = server) =>
    fetch(`${origin}/pay/webhook/sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [signatureHeader]: signature },
      body,
    })
  const rows = async () =>
    (await server.database.db.selectFrom('gateway_events').select('id').execute()).map(({ id }) => id)
  const event = (id: string) => JSON.stringify({ id, about: { kind: 'setup', id: 'su_nobodys' } })

  test('is stored once however often it comes', async () => {
    const body = event('sb_twice')
    const answers = await Promise.all([1, 2, 3].map(() => send(body, sign(body, secret, new Date()))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await rows()).filter((id) => id === 'sb_twice')).toHaveLength(1)
  })

  test('that is forged, old or of 1 MB changes nothing', async () => {
    const body = event('sb_forged')
    const old = new Date(Date.now() - 3_600_000)
    for (const signature of [sign(body, 'another secret', new Date()), sign(body, secret, old), '', 't=1,v1='])
      expect((await send(body, signature)).status).toBe(403)
    expect((await send(Buffer.alloc(1_000_000, 120), 't=1,v1=00')).status).toBe(413)
    expect(await rows()).not.toContain('sb_forged')
  })

  test('is counted where its signature is wrong, and never refused where it is right', async () => {
    const strict = await startWholeServer({ settings: { ATOLL_RATE_FACTOR: '1' }, hasJobs: false })
    try {
      const body = event('sb_right')
      const rightly = () => send(body, sign(body, secret, new Date()), strict)
      for (let count = 0; count < 70; count += 1) expect((await rightly()).status).toBe(200)
      const forged: Response[] = []
      for (let count = 0; count < 75; count += 1) forged.push(await send(body, 't=1,v1=', strict))
      expect(forged.slice(0, 60).map(({ status }) => status)).toEqual(Array(60).fill(403))
      const refused = forged.find(({ status }) => status === 429)
      expect(refused?.headers.get('retry-after')).toBe('1')
      expect((await rightly()).status).toBe(200)
    } finally {
      await strict.close()
    }
  })
})

/** Codes that the console's pages show, over HTTP: the number beside them, who may take them, and what screens show. */
import { randomBytes } from 'node:crypto'
import { activeLogin, declineCode, login, openCode, readCode, SignedIn } from '@atoll/contract/accounts'
import { codes } from '@atoll/contract/wire'
import { createApiClient, createScriptedWallet, createSignInCode, postJson, type SignInCode } from '@atoll/testkit'
import { errorMessage } from '@atoll/texts/refusals'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServiceApp, startServiceApp } from './service-app.fixture.ts'

const walletOrigin = 'http://localhost:4801'
const formerWalletOrigin = 'https://wallet.before.example'
let app: ServiceApp
/** The same deployment after its operator asked for the number. */
let strict: ServiceApp
beforeAll(async () => {
  const first = await startServiceApp(undefined, { ATOLL_FORMER_WALLET_URLS: formerWalletOrigin })
  app = first
  strict = await startServiceApp(first, { ATOLL_REQUIRE_MATCH_NUMBER: 'true' })
})
afterAll(async () => {
  await strict[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

interface ShownCode {
  code: SignInCode
  /** Two digits. */
  number: string
  wrong: string
  browser: string
  /** `name=value`, as the browser sends it back. */
  cookie: string | undefined
}

/** The console's page shows a code. `own: false`: the request came from a script of another site. */
async function show({
  did,
  own = true,
  at = app,
}: {
  did?: string
  own?: boolean
  at?: ServiceApp
} = {}): Promise<ShownCode> {
  const code = createSignInCode(at.origin, did ? { did } : {})
  const browser = randomBytes(32).toString('hex')
  const response = await fetch(`${at.origin}${openCode.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: own ? at.origin : 'https://evil.example' },
    body: JSON.stringify({ secret: code.secret, browser, ...(did && { did }) }),
  })
  const answer = (await response.json()) as { data: { matchNumber: string } }
  const number = answer.data.matchNumber
  const cookie = response.headers.get('set-cookie')?.split(';')[0]
  return { code, number, wrong: String(((Number(number) - 9) % 90) + 10), browser, cookie }
}

const wallet = createScriptedWallet()

function approve(
  shown: ShownCode,
  header: object = {},
  { at = app, cookie }: { at?: ServiceApp; cookie?: string } = {},
) {
  return post(`${at.origin}${login.path}`, wallet.approval(shown.code.request, 'scan', {}, header), cookie)
}

async function post(url: string, body: unknown, cookie?: string) {
  const headers = { 'content-type': 'application/json', ...(cookie && { cookie }) }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as { code: number; message: string; data?: Record<string, unknown> }
}

const poll = (shown: ShownCode, browser: string | undefined = shown.browser) =>
  createApiClient(app.origin).send(activeLogin, { secret: shown.code.secret, browser })

describe('the number beside a code', () => {
  test('has two digits, stays the same for its browser, and stands nowhere in the code', async () => {
    const shown = await show()
    expect(shown.number).toMatch(/^[1-9]\d$/)
    const again = await createApiClient(app.origin).ask(openCode, { secret: shown.code.secret, browser: shown.browser })
    expect(again.matchNumber).toBe(shown.number)
    // Two digits stand in any long text by chance; as a value of its own the number is nowhere.
    expect(JSON.stringify(shown.code.request)).not.toContain(`"${shown.number}"`)
  })

  test('lets in the wallet that signs it', async () => {
    const shown = await show()
    expect((await poll(shown)).data).toEqual({})
    expect(await approve(shown, { match: shown.number })).toMatchObject({ code: codes.ok })
    expect(SignedIn.parse((await poll(shown)).data).userid).toBe(wallet.did)
  })

  test('is not asked of wallets that know nothing of it', async () => {
    const shown = await show()
    expect(await approve(shown)).toMatchObject({ code: codes.ok })
    expect((await poll(shown)).data).toHaveProperty('userid', wallet.did)
  })

  test('burns the code when it is wrong, and the screen says so', async () => {
    const shown = await show()
    expect(await approve(shown, { match: shown.wrong })).toMatchObject({
      code: codes.forbidden,
      message: errorMessage('matchNumberWrong', 'en-US'),
    })
    expect((await poll(shown)).data).toEqual({ refused: 'wrongNumber' })
    for (const header of [{ match: shown.number }, {}]) {
      expect(await approve(shown, header)).toMatchObject({ message: errorMessage('codeBurnt', 'en-US') })
    }
    expect((await poll(shown)).data).toEqual({ refused: 'wrongNumber' })
  })

  test('has one try even when ninety are made at once', async () => {
    const shown = await show()
    const numbers = Array.from({ length: 90 }, (_, index) => String(index + 10)).filter((one) => one !== shown.number)
    const answers = await Promise.all(numbers.map((match) => approve(shown, { match })))
    const messages = answers.map((answer) => answer.message)
    expect(messages.filter((one) => one === errorMessage('matchNumberWrong', 'en-US'))).toHaveLength(1)
    expect(messages.filter((one) => one === errorMessage('codeBurnt', 'en-US'))).toHaveLength(88)
    expect(await approve(shown, { match: shown.number })).toMatchObject({ code: codes.conflict })
  })

  test('cannot be right for a code that no page of the console shows', async () => {
    const code = createSignInCode(app.origin)
    const answer = await postJson(
      `${app.origin}${login.path}`,
      wallet.approval(code.request, 'scan', {}, { match: '47' }),
    )
    expect(answer.message).toBe(errorMessage('matchNumberUnknown', 'en-US'))
  })

  test.each([['4'], ['470'], ['ab'], [47], [['47']]])('%j is no number', async (match) => {
    const shown = await show()
    expect(await approve(shown, { match })).toMatchObject({ code: codes.badParameter })
    expect(await approve(shown, { match: shown.number })).toMatchObject({ code: codes.ok })
  })
})

describe('when the operator asks for the number', () => {
  test('an old wallet is refused in words that help, and the code is not lost', async () => {
    const shown = await show()
    const refused = await approve(shown, {}, { at: strict })
    expect(refused.message).toBe(errorMessage('matchNumberMissing', 'en-US', { walletUrl: walletOrigin }))
    expect(await approve(shown, { match: shown.number }, { at: strict })).toMatchObject({ code: codes.ok })
  })

  test('a relayed code is of no use without it, opened or not', async () => {
    const relayed = createSignInCode(strict.origin)
    const answer = await postJson(`${strict.origin}${login.path}`, wallet.approval(relayed.request))
    expect(answer.message).toBe(errorMessage('matchNumberMissing', 'en-US', { walletUrl: walletOrigin }))
  })

  test('nor when the code itself holds it, for an old wallet to sign', async () => {
    const shown = await show({ at: strict })
    const claims = { match: shown.number, aud: 'http://localhost:4800' }
    const answer = await postJson(`${strict.origin}${login.path}`, wallet.approval(shown.code.request, 'scan', claims))
    expect(answer.message).toBe(errorMessage('matchNumberMissing', 'en-US', { walletUrl: walletOrigin }))
  })

  test('a wallet in the browser that shows the code has nothing to type', async () => {
    const shown = await show({ at: strict })
    expect(await approve(shown, {}, { at: strict, cookie: shown.cookie ?? '' })).toMatchObject({ code: codes.ok })
  })
})

describe('a code that the page of the console shows', () => {
  test.each([
    ['without a key', undefined],
    ['with another key', randomBytes(32).toString('hex')],
  ])('is given to no browser %s', async (_, browser) => {
    const shown = await show()
    await approve(shown, { match: shown.number })
    const thief = await createApiClient(app.origin).send(activeLogin, { secret: shown.code.secret, browser })
    expect(thief).toMatchObject({ code: codes.forbidden, message: errorMessage('codeOfOtherBrowser', 'en-US') })
    expect((await poll(shown)).data).toHaveProperty('userid', wallet.did)
  })

  test('cannot be opened by another browser', async () => {
    const shown = await show()
    const other = { secret: shown.code.secret, browser: randomBytes(32).toString('hex') }
    const answer = await createApiClient(app.origin).send(openCode, other)
    expect(answer.message).toBe(errorMessage('codeOfOtherBrowser', 'en-US'))
  })

  test('that was approved before it was opened still signs in', async () => {
    const code = createSignInCode(app.origin)
    await wallet.approve(code.request)
    const browser = randomBytes(32).toString('hex')
    const api = createApiClient(app.origin)
    expect((await api.ask(openCode, { secret: code.secret, browser })).matchNumber).toMatch(/^\d\d$/)
    expect(await api.ask(activeLogin, { secret: code.secret, browser })).toHaveProperty('userid', wallet.did)
  })

  test('shows its screen that it was read, declined, or read by somebody else', async () => {
    const shown = await show({ did: createScriptedWallet().did })
    const api = createApiClient(app.origin)
    const { secret } = shown.code
    expect(await api.ask(readCode, { secret })).toEqual({ here: false })
    expect((await poll(shown)).data).toEqual({ scanned: true })
    await api.ask(declineCode, { secret, reason: 'declined' })
    expect((await poll(shown)).data).toEqual({ refused: 'declined' })
    await api.ask(readCode, { secret })
    expect((await poll(shown)).data).toEqual({ scanned: true })
    // A wallet that does not check first is refused.
    expect((await approve(shown)).message).toMatch(/^This code asks for another identity/)
    expect((await poll(shown)).data).toEqual({ refused: 'otherDid' })
  })

  test.each(['scan', 'linking'] as const)(
    'and asks for somebody reports a wrong identity to both screens, %s',
    async (shape) => {
      const shown = await show({ did: createScriptedWallet().did })
      const answer = await post(`${app.origin}${login.path}`, wallet.approval(shown.code.request, shape))
      expect(answer.message).toMatch(/^This code asks for another identity/)
      expect((await poll(shown)).data).toEqual({ refused: 'otherDid' })
    },
  )

  test('and asks for somebody is refused to who leaves that out of the signature', async () => {
    const asked = createScriptedWallet()
    const shown = await show({ did: asked.did })
    const { request } = shown.code
    const answer = await post(`${app.origin}${login.path}`, wallet.approval(request, 'scan', { did: undefined }))
    expect(answer.message).toMatch(/^This code asks for another identity/)
    expect((await poll(shown)).data).toEqual({ refused: 'otherDid' })
    await asked.approve(request)
    expect((await poll(shown)).data).toHaveProperty('userid', asked.did)
  })

  test('and asks for somebody is not given to who signed it before it was opened', async () => {
    const did = createScriptedWallet().did
    const code = createSignInCode(app.origin)
    await wallet.approve(code.request)
    const api = createApiClient(app.origin)
    const browser = randomBytes(32).toString('hex')
    await api.ask(openCode, { secret: code.secret, browser, did })
    expect(await api.ask(activeLogin, { secret: code.secret, browser })).toEqual({ refused: 'otherDid' })
  })

  test('reports nothing of codes that existing clients show', async () => {
    const { secret } = createSignInCode(app.origin)
    const api = createApiClient(app.origin)
    await api.ask(readCode, { secret })
    await api.ask(declineCode, { secret, reason: 'declined' })
    expect(await api.ask(activeLogin, { secret })).toEqual({})
  })
})

describe('the browser that shows a code is known by its cookie', () => {
  const read = (shown: ShownCode, cookie?: string) =>
    post(`${app.origin}${readCode.path}`, { secret: shown.code.secret }, cookie)

  test('which no script can read and no other site is sent', async () => {
    const code = createSignInCode(app.origin)
    const response = await fetch(`${app.origin}${openCode.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: app.origin },
      body: JSON.stringify({ secret: code.secret, browser: 'a'.repeat(64) }),
    })
    expect(response.headers.get('set-cookie')).toMatch(/^atollBrowser=[\w-]{43}; .*HttpOnly; SameSite=Strict$/)
  })

  test('and by no other', async () => {
    const [mine, theirs] = [await show(), await show()]
    expect((await read(mine, mine.cookie)).data).toEqual({ here: true })
    expect((await read(mine, theirs.cookie)).data).toEqual({ here: false })
    expect((await read(mine)).data).toEqual({ here: false })
  })

  test.each([
    ['a form of another site', { origin: 'https://evil.example' }],
    ['a form that hides where it is from', { origin: 'null' }],
    ['a link or a typed address', { 'sec-fetch-site': 'none' }],
    ['another site’s script', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
    ['a program that is no browser', {}],
  ])('which %s cannot have set', async (_, headers) => {
    const response = await fetch(`${app.origin}${openCode.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ secret: randomBytes(16).toString('hex'), browser: 'b'.repeat(64) }),
    })
    expect(await response.json()).toMatchObject({ code: codes.ok })
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  test.each([
    [login.path, walletOrigin, walletOrigin, 'true'],
    [readCode.path, walletOrigin, walletOrigin, 'true'],
    [readCode.path, formerWalletOrigin, formerWalletOrigin, 'true'],
    [login.path, 'https://evil.example', '*', null],
    // To link itself, our wallet opens a code of its own; a cookie it neither sends nor gets.
    [openCode.path, walletOrigin, walletOrigin, null],
    [openCode.path, 'https://evil.example', null, null],
  ])('sent to %s by pages of %s: %s', async (path, origin, allowed, credentials) => {
    const { headers } = await fetch(`${app.origin}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    })
    expect(headers.get('access-control-allow-origin')).toBe(allowed)
    expect(headers.get('access-control-allow-credentials')).toBe(credentials)
  })
})

describe('a signature that says where it goes', () => {
  test('is taken there', async () => {
    const shown = await show()
    expect(await approve(shown, { match: shown.number, aud: 'http://localhost:4800' })).toMatchObject({
      code: codes.ok,
    })
  })

  test.each([
    ['https://evil.example', 'evil.example'],
    ['http://localhost:4801', 'localhost:4801'],
    ['nowhere', 'nowhere'],
  ])('and nowhere else: %s', async (aud, host) => {
    const shown = await show()
    expect((await approve(shown, { aud })).message).toBe(errorMessage('otherAudience', 'en-US', { host }))
    expect((await poll(shown)).data).toEqual({})
  })
})

import { activeLogin, logout, SignedIn, sendSetEmailCode, userInfo } from '@atoll/contract/accounts'
import { errorCatalogue } from '@atoll/contract/api'
import { resourceList } from '@atoll/contract/clusters'
import {
  createApiClient,
  createScriptedWallet,
  createSignInCode,
  forgedSignIns,
  postJson,
  type ServerProcess,
  startServer,
} from '@atoll/testkit'
import { errorMessage } from '@atoll/texts/refusals'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPerson, freshName } from '../stack/people.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ env: { ATOLL_SIGN_IN_RATE: '100000', ATOLL_LOG_LEVEL: 'trace' } })
})
afterAll(() => server?.dispose())

async function registeredWallet() {
  const wallet = createScriptedWallet()
  await wallet.register(server.url)
  return wallet
}

describe('a LarePass-shaped wallet', () => {
  it.each(['scan', 'linking'] as const)('signs in with the %s body', async (shape) => {
    const wallet = await registeredWallet()
    const session = await wallet.signIn(server.url, shape)
    expect(session.userid).toBe(wallet.did)
    expect(Buffer.from(session.token, 'base64url').length).toBeGreaterThanOrEqual(32)
    expect(session.expired - Date.now()).toBeGreaterThan(6.9 * 24 * 3600 * 1000)
    const user = await createApiClient(server.url, session).ask(userInfo, {})
    expect(user).toMatchObject({ userid: wallet.did, terminusName: null })
  })

  it('may approve before or after the console first asks', async () => {
    const wallet = await registeredWallet()
    const api = createApiClient(server.url)
    const code = createSignInCode(server.url)
    const early = await api.send(activeLogin, { secret: code.secret })
    expect(early).toMatchObject({ code: 200, data: {} })
    expect(early.data).not.toHaveProperty('userid')
    expect((await wallet.approve(code.request)).code).toBe(200)
    expect(SignedIn.parse(await api.ask(activeLogin, { secret: code.secret })).userid).toBe(wallet.did)
  })

  it('reads a code in standard base64 with padding', async () => {
    const wallet = createScriptedWallet()
    const code = createSignInCode(server.url)
    const padded = `space://${Buffer.from(JSON.stringify(code.request)).toString('base64')}`
    expect(wallet.read(padded)).toEqual(wallet.read(code.text))
  })

  it('gets its session exactly once per code, and a code works exactly once', async () => {
    const wallet = await registeredWallet()
    const api = createApiClient(server.url)
    const code = createSignInCode(server.url)
    const approval = wallet.approval(code.request)
    const callback = code.request.message.sign.callback_url
    expect((await postJson(callback, approval)).code).toBe(200)
    const replay = await postJson(callback, approval)
    expect(replay).toMatchObject({ code: errorCatalogue.codeUsed.code, message: errorMessage('codeUsed', 'en-US') })

    const answers = await Promise.all(Array.from({ length: 5 }, () => api.ask(activeLogin, { secret: code.secret })))
    expect(answers.filter((answer) => 'userid' in answer)).toHaveLength(1)
    const late = await wallet.approve(code.request)
    expect(late.code).toBe(errorCatalogue.codeUsed.code)
    expect(await api.ask(activeLogin, { secret: code.secret })).toEqual({})
  })

  it('signs in only for what the JWS says when unsigned copies contradict it', async () => {
    const wallet = await registeredWallet()
    const api = createApiClient(server.url)
    const signed = createSignInCode(server.url)
    const claimed = createSignInCode(server.url)
    const body = { ...wallet.approval(signed.request), secret: claimed.secret, body: { secret: claimed.secret } }
    expect((await postJson(signed.request.message.sign.callback_url, body)).code).toBe(200)
    expect(await api.ask(activeLogin, { secret: claimed.secret })).toEqual({})
    expect(await api.ask(activeLogin, { secret: signed.secret })).toHaveProperty('userid', wallet.did)
  })

  it('is told so when one of two phones was quicker', async () => {
    const wallets = await Promise.all([registeredWallet(), registeredWallet()])
    const code = createSignInCode(server.url)
    const answers = await Promise.all(wallets.map((wallet) => wallet.approve(code.request)))
    expect(answers.map((answer) => answer.code).sort()).toEqual([200, errorCatalogue.codeUsed.code])
    const winner = wallets[answers.findIndex((answer) => answer.code === 200)]
    const session = await createApiClient(server.url).ask(activeLogin, { secret: code.secret })
    expect(session).toHaveProperty('userid', winner?.did)
  })
})

describe('a sign-in is refused', () => {
  it.each(forgedSignIns)('for $name', async ({ refusal, body }) => {
    const wallet = await registeredWallet()
    const forged = body(wallet, server.url)
    const answer = await postJson(`${server.url}/v2/user/login`, forged)
    expect(answer.code).toBe(errorCatalogue[refusal].code)
    // The sentence up to its first parameter: the figures in it are the refusal's own test's business.
    expect(answer.message).toContain(errorMessage(refusal, 'en-US').split('{')[0])
    const chinese = await fetch(`${server.url}/v2/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'zh-CN,zh;q=0.9' },
      body: JSON.stringify(forged),
    })
    expect(((await chinese.json()) as { message: string }).message).toContain(
      errorMessage(refusal, 'zh-CN').split('{')[0],
    )
  })

  it('in plain words when a clock is 10 minutes off', async () => {
    const wallet = await registeredWallet()
    const ahead = createSignInCode(server.url, { time: Date.now() + 10 * 60_000 })
    expect((await wallet.approve(ahead.request)).message).toBe(errorMessage('codeFromFuture', 'en-US', { minutes: 10 }))
  })

  it('when too many come from one address', async () => {
    await using strict = await startServer({ env: { ATOLL_SIGN_IN_RATE: '3' } })
    const api = createApiClient(strict.url)
    const secrets = Array.from({ length: 8 }, () => createSignInCode(strict.url).secret)
    const answers = []
    for (const secret of secrets) answers.push(await api.send(activeLogin, { secret }))
    expect(answers.at(-1)?.code).toBe(errorCatalogue.tooManyRequests.code)
  })
})

describe('a session', () => {
  it('works with its token in headers or body, as form or JSON, and under /api', async () => {
    const { api } = await createPerson(server.url)
    for (const body of ['form', 'json'] as const) {
      for (const credentials of ['headers', 'body'] as const) {
        expect(await api.ask(resourceList, {}, { body, credentials })).toEqual([])
      }
    }
    const prefixed = createApiClient(`${server.url}/api`, api.credentials)
    expect(await prefixed.ask(resourceList, {})).toEqual([])
  })

  it('is over after logout, and belongs to its own account only', async () => {
    const { api, session } = await createPerson(server.url)
    const other = await createPerson(server.url)
    const mixed = api.as({ userid: other.session.userid, token: session.token })
    expect((await mixed.send(userInfo, {})).code).toBe(errorCatalogue.signedOut.code)
    await api.ask(logout, {})
    expect((await api.send(userInfo, {})).code).toBe(errorCatalogue.signedOut.code)
    expect((await other.api.send(userInfo, {})).code).toBe(200)
  })

  it('ends after its lifetime', async () => {
    await using brief = await startServer({ env: { ATOLL_SESSION_DAYS: String(1 / 86_400) } })
    const wallet = createScriptedWallet()
    await wallet.register(brief.url)
    const session = await wallet.signIn(brief.url)
    expect(session.expired - Date.now()).toBeLessThanOrEqual(1000)
    const api = createApiClient(brief.url, session)
    await expect.poll(async () => (await api.send(userInfo, {})).code).toBe(506)
  })
})

describe('a name', () => {
  it('is found both ways, and belongs to one DID', async () => {
    const name = freshName()
    const { wallet, api } = await createPerson(server.url, { name })
    const dotted = name.replace('@', '.')
    const found = await (await fetch(`${server.url}/get_name_by_did/${wallet.did}`)).json()
    expect(found).toMatchObject({ code: 0, data: dotted })
    for (const path of [`/1.0/identifiers/${wallet.did}`, `/1.0/name/${dotted}`]) {
      const result = await (await fetch(server.url + path)).json()
      expect(result).toMatchObject({ didDocument: { id: wallet.did } })
    }
    expect((await api.ask(userInfo, {})).terminusName).toBe(name)

    const rival = await registeredWallet()
    expect(await rival.bindName(server.url, name)).toMatchObject({
      code: errorCatalogue.nameTaken.code,
      message: errorMessage('nameTaken', 'en-US', { name }),
    })
    expect((await wallet.bindName(server.url, freshName())).code).toBe(errorCatalogue.alreadyNamed.code)
  })

  it('goes to one of two who ask at once', async () => {
    const name = freshName()
    const rivals = await Promise.all([registeredWallet(), registeredWallet(), registeredWallet()])
    const answers = await Promise.all(rivals.map((wallet) => wallet.bindName(server.url, name)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
  })
})

describe('the log of the whole run', () => {
  it('says which accounts asked, and no DID, ID or mail address', async () => {
    const { api } = await createPerson(server.url)
    await api.ask(sendSetEmailCode, { email: 'anna.logged@example.com' })
    await server.kill('SIGTERM')
    const log = server.log.join('\n')
    expect(log).toMatch(/"path":"\/v2\/user\/send_set_email_code".*"account":"ac_[0-9a-f]{32}"/)
    expect(log).not.toMatch(/did:key:|anna\.logged|@example|[\w-]+[@.]atoll\.test/)
  })
})

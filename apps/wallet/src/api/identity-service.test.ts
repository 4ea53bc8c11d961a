import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createKeychain } from '../keys/keychain.ts'
import { memoryStorage } from '../keys/memory-storage.fixture.ts'
import { bindName, findBoundName, isNameTaken, listNameDomains, registerDid } from './identity-service.ts'
import { identityHostName, loadRuntimeConfig } from './runtime-config.ts'

const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'.split(' ')
const did = 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2'
const origin = 'https://id.atoll.example'
const config = {
  product: 'Atoll',
  wallet: 'LarePass',
  hosts: { global: `${origin}/`, china: origin },
  walletUrl: origin,
  now: 1_773_844_026_000,
}

/** The service's answers, by path; a missing one is a service that is down. */
let answers: Record<string, unknown> = {}
const asked: { url: string; body: unknown }[] = []

beforeEach(() => {
  asked.length = 0
  answers = {}
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url === '/config.json') return Response.json(config)
    asked.push({ url, body: init.body ? JSON.parse(String(init.body)) : undefined })
    const answer = answers[url.slice(origin.length)]
    if (answer === undefined) throw new TypeError('Failed to fetch')
    return Response.json(answer)
  })
})

async function withIdentity() {
  const keychain = createKeychain({ storage: memoryStorage(), rounds: 10 })
  await keychain.create('271828')
  await keychain.add(words)
  return keychain
}
/** The payload of a JWS. */
const payloadOf = (jws: string) => JSON.parse(atob((jws.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))

describe('registering', () => {
  it('signs the DID with its fragment and remembers the yes', async () => {
    const keychain = await withIdentity()
    answers['/create_local'] = { code: 0, message: 'success' }
    expect(await registerDid(keychain, did)).toMatchObject({ kind: 'ok' })
    const body = asked[0]?.body as { jws: string }
    expect(payloadOf(body.jws)).toEqual({ did: `${did}#${did.slice(8)}` })
    expect(keychain.getState().identities[0]?.registered).toBe(true)
  })

  it('stays unregistered while the service is down, or says no', async () => {
    const keychain = await withIdentity()
    expect(await registerDid(keychain, did)).toEqual({ kind: 'unreachable' })
    answers['/create_local'] = { code: 403, message: 'The signature was not made by the key of this DID.' }
    expect(await registerDid(keychain, did)).toEqual({
      kind: 'refused',
      message: 'The signature was not made by the key of this DID.',
    })
    expect(keychain.getState().identities[0]?.registered).toBe(false)
  })
})

describe('names', () => {
  it('binds with the time of the server', async () => {
    const keychain = await withIdentity()
    answers['/bind_name'] = { code: 0, message: 'success', data: 'reef.atoll.test' }
    await bindName(keychain, did, 'reef@atoll.test')
    const body = asked[0]?.body as { jws: string }
    expect(payloadOf(body.jws)).toMatchObject({ name: 'reef@atoll.test', did: `${did}#${did.slice(8)}` })
    expect(payloadOf(body.jws).time).toBeGreaterThanOrEqual(config.now - 1000)
    expect(keychain.getState().identities[0]?.name).toBe('reef@atoll.test')
  })

  it('shows a taken name in the words of the service and binds nothing', async () => {
    const keychain = await withIdentity()
    answers['/bind_name'] = { code: 409, message: 'reef@atoll.test is taken. Choose another name.' }
    expect(await bindName(keychain, did, 'reef@atoll.test')).toMatchObject({ kind: 'refused' })
    expect(keychain.getState().identities[0]?.name).toBeNull()
  })

  it('knows taken, free and unknown', async () => {
    answers['/name_taken/reef.atoll.test'] = { code: 0, message: 'success', data: true }
    answers['/name_taken/lena.atoll.test'] = { code: 0, message: 'success', data: false }
    expect(await isNameTaken('reef@atoll.test')).toBe(true)
    expect(await isNameTaken('lena@atoll.test')).toBe(false)
    expect(await isNameTaken('moto@atoll.test')).toBeUndefined()
  })

  it('reads the dotted name back', async () => {
    answers[`/get_name_by_did/${encodeURIComponent(did)}`] = { code: 0, message: '', data: 'reef.sub.atoll.test' }
    expect(await findBoundName(did)).toBe('reef@sub.atoll.test')
  })

  it('takes a broken list of domains for no answer', async () => {
    answers['/name_domains'] = { code: 0, message: '', data: [] }
    expect(await listNameDomains()).toEqual({ kind: 'unreachable' })
  })
})

describe('a service that fails', () => {
  // Spec §8: failing without a 200 is a network error, whatever the body says; spec §9: it has 10 s.
  const failures: [string, () => Response | Promise<Response>][] = [
    ['HTTP 500', () => Response.json({ code: 403, message: 'not to be shown' }, { status: 500 })],
    ['HTTP 404', () => Response.json({ code: 0, message: 'success', data: 'reef.atoll.test' }, { status: 404 })],
    ['an empty body', () => new Response('')],
    ['a page of a proxy', () => new Response('<html>')],
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
  ]
  it.each(failures)('%s is the network error', async (_what, respond) => {
    vi.stubGlobal('fetch', async (url: string) => (url === '/config.json' ? Response.json(config) : respond()))
    const keychain = await withIdentity()
    expect(await registerDid(keychain, did)).toEqual({ kind: 'unreachable' })
    expect(await bindName(keychain, did, 'reef@atoll.test')).toEqual({ kind: 'unreachable' })
    expect(await findBoundName(did)).toBeUndefined()
    expect(await isNameTaken('reef@atoll.test')).toBeUndefined()
    expect(keychain.getState().identities[0]).toMatchObject({ registered: false, name: null })
  })

  it('has 10 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    await listNameDomains()
    expect(timeout).toHaveBeenCalledWith(10_000)
    timeout.mockRestore()
  })

  it('that never answers is given up', async () => {
    const timeout = vi
      .spyOn(AbortSignal, 'timeout')
      .mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')))
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (url === '/config.json') return Response.json(config)
      init.signal?.throwIfAborted()
      return new Promise(() => undefined)
    })
    expect(await listNameDomains()).toEqual({ kind: 'unreachable' })
    timeout.mockRestore()
  })
})

it('names the host of the service in browsers that lack URL.parse, as Safari 17 does', async () => {
  const { parse } = URL
  Reflect.deleteProperty(URL, 'parse')
  try {
    await loadRuntimeConfig()
    expect(identityHostName()).toBe('id.atoll.example')
  } finally {
    URL.parse = parse
  }
})

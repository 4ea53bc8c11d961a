import { userInfo } from '@atoll/contract/accounts'
import { resourceList } from '@atoll/contract/clusters'
import { holdPort, openChangeStream, startServer, until } from '@atoll/testkit'
import { describe, expect, it } from 'vitest'
import { createPerson } from '../stack/people.ts'

it('an api that answers waits for what its gateway knows, with no worker beside it', async () => {
  const silent = await holdPort()
  try {
    await using server = await startServer({
      roles: ['api'],
      env: {
        ATOLL_PAYMENT_GATEWAY: 'stripe',
        ATOLL_STRIPE_SECRET_KEY: 'sk_test_some',
        ATOLL_STRIPE_WEBHOOK_SECRET: 'whsec_some',
        ATOLL_STRIPE_URL: `http://127.0.0.1:${silent.port}`,
      },
    })
    const { waiting } = (await (await fetch(`${server.url}/readyz`)).json()) as { waiting?: string }
    expect(waiting).toMatch(/^gateway: /)
  } finally {
    await silent.release()
  }
})

describe('a stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s ends within its deadline with streams open and a request under way',
    async (signal) => {
      await using server = await startServer({ env: { ATOLL_SHUTDOWN_SECONDS: '8' } })
      const { api, session } = await createPerson(server.url)
      const streams = await Promise.all([1, 2, 3].map(() => openChangeStream(server.url, session)))
      const slow = startSlowRequest(server.url, api.credentials ?? session)
      await until('the slow request has begun', () => slow.begun())
      const busy = Array.from({ length: 20 }, () =>
        api.send(resourceList, {}).then(
          (answer) => answer.code,
          () => 'cut',
        ),
      )
      const stopped = server.kill(signal)
      slow.finish()
      expect(await stopped).toEqual({ code: 0, signal: null })
      await Promise.all(streams.map((stream) => stream.ended))
      // A request that was accepted is answered, not broken off.
      expect((await Promise.all(busy)).filter((code) => code !== 200 && code !== 'cut')).toEqual([])

      await server.restart()
      expect((await api.send(userInfo, {})).code).toBe(200)
    },
  )

  it('ends with code 0 and leaves nothing running', async () => {
    await using server = await startServer()
    const ended = await server.kill('SIGTERM')
    expect(ended).toEqual({ code: 0, signal: null })
  })
})

/** A request whose body arrives in pieces, so that it is under way for as long as we like. */
function startSlowRequest(origin: string, credentials: { userid: string; token: string }) {
  let finish: () => void = () => undefined
  let pulled = false
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      pulled = true
      controller.enqueue(new TextEncoder().encode(' '))
      await finished
      controller.enqueue(new TextEncoder().encode('{}'))
      controller.close()
    },
  })
  const answer = fetch(origin + resourceList.path, {
    method: 'POST',
    duplex: 'half',
    headers: { 'content-type': 'application/json', userid: credentials.userid, token: credentials.token },
    body,
  } as RequestInit).catch((error: unknown) => error)
  return { finish, answer, begun: () => pulled }
}

import { userInfo } from '@atoll/contract/accounts'
import { resourceList } from '@atoll/contract/clusters'
import {
  chooseServerPorts,
  holdPort,
  openChangeStream,
  ServerEnded,
  type ServerProcess,
  type StartServerOptions,
  startServer,
  until,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPerson } from '../stack/people.ts'

/** What the server says when it gives up; it must not start. */
async function complaintOf(options: StartServerOptions): Promise<string> {
  try {
    await using server = await startServer(options)
    return `it started with pid ${server.pid}`
  } catch (error) {
    if (error instanceof ServerEnded) return error.log.join('\n')
    throw error
  }
}

describe('a start that cannot work ends with one sentence', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server?.dispose())

  it.each(['console', 'wallet', 'edge'] as const)('when the %s port is taken', async (which) => {
    const ports = await chooseServerPorts()
    const holder = await holdPort(ports[which])
    try {
      const said = await complaintOf({ ports })
      expect(said).toMatch(new RegExp(`^Port ${holder.port} .*already in use.*ATOLL_`, 'm'))
      // What had been started ends in order, without a word.
      expect(said).not.toMatch(/"level":"(warn|error)"/)
    } finally {
      await holder.release()
    }
  })

  it('when the folder belongs to a server that runs', async () => {
    expect(await complaintOf({ dataDir: server.dataDir })).toMatch(
      new RegExp(`${server.dataDir} is in use .*${server.pid}`),
    )
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  it('when a setting is malformed', async () => {
    expect(await complaintOf({ env: { ATOLL_SESSION_DAYS: 'many' } })).toMatch(/^ATOLL_SESSION_DAYS: /m)
  })

  it('beside another one with its own folder and ports', async () => {
    await using neighbour = await startServer()
    expect(neighbour.url).not.toBe(server.url)
    const { session } = await createPerson(neighbour.url)
    expect(session.userid).toMatch(/^did:key:/)
  })
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

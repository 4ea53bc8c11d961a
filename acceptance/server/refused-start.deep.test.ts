import {
  chooseServerPorts,
  holdPort,
  ServerEnded,
  type ServerProcess,
  type StartServerOptions,
  startServer,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPerson } from '../stack/people.ts'

/** The output of a server that gives up; it must not start. */
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
      // The parts that had started end in order and log nothing.
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

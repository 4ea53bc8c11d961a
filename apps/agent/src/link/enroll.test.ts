import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { readConfig } from '../kernel/config.ts'
import type { Home } from '../kernel/home.ts'
import { createLog } from '../kernel/log.ts'
import { enroll } from './enroll.ts'

const unknownCall = JSON.stringify({ code: 404, message: 'There is no such call.' })

test.each([
  ['a page', '<html>Welcome</html>', /is no Atoll API \(status 200\)/],
  ['the probes of a worker', unknownCall, /is no Atoll API \(status 200\)/],
  ['nothing', undefined, /fetch failed: .*ECONNREFUSED/],
])('an address with %s behind it is named in the log', async (_, body, words) => {
  const server = createServer((_request, response) => response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP listener has one
  if (body === undefined) await new Promise((resolve) => server.close(resolve))
  const config = readConfig({
    ATOLL_AGENT_HOME: '/nowhere',
    ATOLL_AGENT_CONTROL_URL: `http://127.0.0.1:${port}`,
    ATOLL_AGENT_ENROLL_TOKEN: 'a-token-of-some-length',
  })
  const stopping = new AbortController()
  const written = Promise.withResolvers<string>()
  const log = createLog({ write: written.resolve })
  const identity = { token: 'own', instanceId: null, clusterId: null }
  const home = {} as Home // only who is let in writes there
  const enrolling = enroll(identity, { config, home, log, signal: stopping.signal })
  try {
    expect(await written.promise).toMatch(words)
  } finally {
    stopping.abort()
    await enrolling.catch(() => undefined) // it was stopped
    server.close()
  }
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../platform/clock.ts'
import { silentLog } from '../../../../platform/log.ts'
import { sandboxDeliver, signatureHeader, verify } from './sandbox-events.ts'

const secret = 'a secret of this test'
let status = 200
let received: { headers: Record<string, string | string[] | undefined>; body: Buffer }[] = []
const endpoint = createServer(async (request, response) => {
  received.push({ headers: request.headers, body: Buffer.from(await text(request)) })
  response.writeHead(status).end()
})
beforeAll(() => new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  endpoint.closeAllConnections()
  endpoint.close()
})

test('a webhook is sent again as the same one until it is taken, signed each time', async () => {
  const { port } = endpoint.address() as AddressInfo // a TCP server that listens
  const webhookUrl = `http://127.0.0.1:${port}/`
  const job = sandboxDeliver({ clock: systemClock, webhookUrl, secret, customerOf: async () => undefined })
  const event = { id: 'sb_event', about: { kind: 'payment', id: 'pay_some' } }
  const run = () => job.run(event, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  for (const refused of [503, 404, 301]) {
    status = refused
    await expect(run()).rejects.toThrow(String(refused))
  }
  status = 200
  await run()
  expect(received).toHaveLength(4)
  for (const { headers, body } of received) {
    expect(headers[signatureHeader]).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    expect(verify({ headers, body, now: new Date() }, secret)).toEqual(event)
  }
  received = []
})

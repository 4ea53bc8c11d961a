import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../kernel/log.ts'
import { readJson, sendJson } from './exchange.ts'
import { createRouter } from './router.ts'

/** The answer on a connection that sends half a body with this first line. */
async function answerTo(call: string): Promise<string> {
  const router = createRouter({
    routes: {
      'POST /api/session': async ({ req, res }) => sendJson(res, 200, { body: await readJson(req) }),
      'GET /api/status': ({ res }) => sendJson(res, 200, {}),
      'PUT /api/drive/file': async ({ req, res }) => sendJson(res, 200, { length: (await text(req)).length }),
    },
    guard: () => undefined,
    dav: ({ res }) => sendJson(res, 200, {}),
    page: ({ res }) => sendJson(res, 200, {}),
    log: createLog({ write: () => undefined }),
    arrivalMs: 100,
  })
  const server = createServer({ requestTimeout: 0 }, router)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1') // a TCP listener's
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  const head = `${call} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n`
  socket.write(`${head}half`)
  if (!call.startsWith('PUT')) return await text(socket)
  // Another connection sees to it that the time is over.
  await once(
    connect((server.address() as AddressInfo).port, '127.0.0.1')
      .end(`POST${head.slice(3)}half`)
      .resume(),
    'close',
  )
  socket.end('rest')
  return await text(socket)
}

test.each([
  ['POST /api/session', /^HTTP\/1\.1 408 [\s\S]*"code":"tooSlow"/],
  ['POST /api/nothing', /^HTTP\/1\.1 404 /],
  ['POST /no/such/page', /^HTTP\/1\.1 405 [\s\S]*allow: GET, HEAD\r\n/i],
  ['DELETE /api/session', /^HTTP\/1\.1 405 [\s\S]*allow: POST\r\n/i],
  ['POST /api/status', /^HTTP\/1\.1 405 [\s\S]*allow: GET, HEAD\r\n/i],
])('%s with half a body ends, and a wrong method hears which there are', async (call, answer) => {
  expect(await answerTo(call)).toMatch(answer)
})

test('GET /api/status with half a body is answered, and its connection ends', async () => {
  expect(await answerTo('GET /api/status')).toMatch(/^HTTP\/1\.1 200 /)
})

test('an upload takes as long as it takes', async () => {
  expect(await answerTo('PUT /api/drive/file')).toMatch(/^HTTP\/1\.1 200 [\s\S]*"length":8/)
})

import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { edgeAskPlugin } from './edge-ask-plugin.ts'

const asked: string[] = []
const app = Fastify()
await app.register(
  edgeAskPlugin({
    async hasHost(host) {
      asked.push(host)
      return host === 'lena.cloud.lagoon.example'
    },
  }),
)
afterAll(() => app.close())

test.each([
  ['domain=lena.cloud.lagoon.example', 200],
  ['domain=LENA.cloud.lagoon.example.', 200],
  ['domain=mia.cloud.lagoon.example', 404],
  ['domain=192.0.2.1', 404],
])('%s: %d', async (query, status) => {
  expect((await app.inject(`/v1/edge/ask?${query}`)).statusCode).toBe(status)
})

test.each(['', 'domain=', 'domain=localhost', `domain=${'a'.repeat(64)}.example`, 'domain=a.example&domain=b.example'])(
  'nobody is asked about %j',
  async (query) => {
    asked.length = 0
    expect((await app.inject(`/v1/edge/ask?${query}`)).statusCode).toBe(404)
    expect(asked).toEqual([])
  },
)

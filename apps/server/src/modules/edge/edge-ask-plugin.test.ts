import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { edgeAskPlugin } from './edge-ask-plugin.ts'

const asked: string[] = []
const app = Fastify()
await app.register(
  edgeAskPlugin({
    async findRoute(host) {
      asked.push(host)
      const clusterHost = ['lena', 'old']
        .map((name) => `${name}.cloud.lagoon.example`)
        .find((own) => host.endsWith(own))
      return clusterHost === undefined ? undefined : { clusterId: clusterHost.slice(0, 4), clusterHost }
    },
    listRegistered: async (clusterId) => (clusterId === 'lena' ? ['photos'] : null),
  }),
)
afterAll(() => app.close())

test.each([
  ['domain=lena.cloud.lagoon.example', 200],
  ['domain=LENA.cloud.lagoon.example.', 200],
  ['domain=photos.lena.cloud.lagoon.example', 200],
  ['domain=invented.lena.cloud.lagoon.example', 404],
  ['domain=a.photos.lena.cloud.lagoon.example', 404],
  ['domain=old.cloud.lagoon.example', 200],
  ['domain=photos.old.cloud.lagoon.example', 404],
  ['domain=mia.cloud.lagoon.example', 404],
  ['domain=192.0.2.1', 404],
])('the question %s is answered with %d', async (query, status) => {
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

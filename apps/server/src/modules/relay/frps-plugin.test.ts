import { fastify } from 'fastify'
import { describe, expect, test } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { frpsPlugin, frpsPluginPath } from './frps-plugin.ts'

const mine = 'in_mine00000000'
const user = { user: mine, metas: { token: 'token of in_mine00000000' }, run_id: 'r1' }
const proxy = {
  user,
  proxy_name: `${mine}.web`,
  proxy_type: 'http',
  subdomain: 'reef',
  custom_domains: null,
  group: '',
}

async function ask(body: unknown): Promise<{ reject: boolean; reject_reason?: string; unchange?: boolean }> {
  const app = fastify()
  await app.register(
    frpsPlugin({
      log: silentLog,
      isToken: (instanceId, shown) => shown === `token of ${instanceId}`,
      findLabel: async (instanceId) => (instanceId === mine ? 'reef' : undefined),
    }),
  )
  const answer = await app.inject({
    method: 'POST',
    url: `${frpsPluginPath}?version=0.1.0&op=x`,
    payload: body as object,
  })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

describe('frps is answered', () => {
  test.each([
    ['Login', { version: '0.1.0', op: 'Login', content: { ...user, hostname: 'pi', os: 'linux', pool_count: 1 } }],
    ['NewProxy', { version: '0.1.0', op: 'NewProxy', content: proxy }],
  ])('to let an instance %s as itself', async (_, body) => {
    expect(await ask(body)).toEqual({ reject: false, unchange: true })
  })

  test.each([
    ['with no token', { op: 'Login', content: { user: mine } }],
    [
      'with the token of another',
      { op: 'Login', content: { user: mine, metas: { token: 'token of in_other0000000' } } },
    ],
    ['as somebody unknown', { op: 'Login', content: { user: 'root', metas: { token: 'token of root' } } }],
    [
      'of a cluster that is not reached through frp',
      { op: 'Login', content: { user: 'in_other0000000', metas: { token: 'token of in_other0000000' } } },
    ],
    ['under the label of another cluster', { op: 'NewProxy', content: { ...proxy, subdomain: 'lagoon' } }],
    ['under a domain', { op: 'NewProxy', content: { ...proxy, custom_domains: ['console.example'] } }],
    ['as a TCP port', { op: 'NewProxy', content: { ...proxy, proxy_type: 'tcp' } }],
    ['under another name', { op: 'NewProxy', content: { ...proxy, proxy_name: 'in_other0000000.web' } }],
    ['in a group', { op: 'NewProxy', content: { ...proxy, group: 'shared' } }],
    ['with an operation of another kind', { op: 'NewUserConn', content: {} }],
    ['with nothing', {}],
  ])('to refuse a client %s', async (_, body) => {
    const { reject, reject_reason: reason } = await ask(body)
    expect(reject).toBe(true)
    expect(reason).not.toBe('')
    expect(reason).not.toContain('token of')
  })
})

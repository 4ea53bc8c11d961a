import { AppPasswordCreate, type AppPasswords as Shown } from '@atoll/contract/personal-server'
import { getQuery, readBody, sendJson, sendNothing } from '../http/exchange.ts'
import type { OwnerPassword } from '../http/owner-password.ts'
import type { RouteTable } from '../http/router.ts'
import type { AppPasswords } from './app-passwords.ts'

export function appPasswordRoutes(passwords: AppPasswords, ownerPassword: OwnerPassword): RouteTable {
  return {
    'GET /api/app-passwords': ({ res }) => sendJson(res, 200, { passwords: passwords.list() } satisfies Shown),
    'POST /api/app-passwords': async (exchange) => {
      const { name, ownPassword } = await readBody(exchange.req, AppPasswordCreate)
      // It outlasts the session: one that was stolen must not make any.
      const ownerHash = await ownerPassword.check(exchange, ownPassword)
      sendJson(exchange.res, 201, await passwords.make(name, ownerHash))
    },
    'DELETE /api/app-passwords': async ({ res, url }) => {
      await passwords.revoke(getQuery(url, 'id'))
      sendNothing(res)
    },
  }
}

import { AppPasswordCreate, type AppPasswords as Shown } from '@atoll/contract/personal-server'
import { getQuery, readBody, sendJson, sendNothing } from '../http/exchange.ts'
import type { RouteTable } from '../http/router.ts'
import type { AppPasswords } from './app-passwords.ts'

export function appPasswordRoutes(passwords: AppPasswords): RouteTable {
  return {
    'GET /api/app-passwords': ({ res }) => sendJson(res, 200, { passwords: passwords.list() } satisfies Shown),
    'POST /api/app-passwords': async ({ req, res }) => {
      const { name } = await readBody(req, AppPasswordCreate)
      sendJson(res, 201, await passwords.make(name))
    },
    'DELETE /api/app-passwords': async ({ res, url }) => {
      await passwords.revoke(getQuery(url, 'id'))
      sendNothing(res)
    },
  }
}

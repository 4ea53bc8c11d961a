import { AppPasswordCreate, type AppPasswords as Shown } from '@atoll/contract/personal-server'
import { getQuery, readBody, sendJson, sendNothing } from '../http/exchange.ts'
import type { RouteTable } from '../http/router.ts'
import type { StateStore } from '../kernel/state-store.ts'
import type { AppPasswords } from './app-passwords.ts'

export function appPasswordRoutes(passwords: AppPasswords, store: StateStore): RouteTable {
  return {
    'GET /api/app-passwords': ({ res }) => sendJson(res, 200, { passwords: passwords.list() } satisfies Shown),
    'POST /api/app-passwords': async ({ req, res }) => {
      const { name } = await readBody(req, AppPasswordCreate)
      sendJson(res, 201, await passwords.make(name, store.current.account?.passwordHash ?? ''))
    },
    'DELETE /api/app-passwords': async ({ res, url }) => {
      await passwords.revoke(getQuery(url, 'id'))
      sendNothing(res)
    },
  }
}

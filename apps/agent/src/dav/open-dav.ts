import type { ServerResponse } from 'node:http'
import type { Drive } from '../drive/drive.ts'
import { createDriveLocks, type DriveLocks } from '../drive/drive-locks.ts'
import { letSend } from '../http/exchange.ts'
import type { OwnerPassword } from '../http/owner-password.ts'
import type { Handler, RouteTable } from '../http/router.ts'
import { checkSameOrigin } from '../http/same-origin.ts'
import type { SignInHistory } from '../http/sign-in-history.ts'
import type { Home } from '../kernel/home.ts'
import type { Log } from '../kernel/log.ts'
import type { StateStore } from '../kernel/state-store.ts'
import { appPasswordRoutes } from './app-password-routes.ts'
import { openAppPasswords } from './app-passwords.ts'
import { createBasicSignIn } from './basic-sign-in.ts'

export interface OpenDav {
  /** Answers all that is asked at `/dav`. */
  answer: Handler
  /** The calls for app passwords. */
  routes: RouteTable
  /** Held by programs over WebDAV; the drive's own calls respect them too. */
  locks: DriveLocks
}

export async function openDav(options: {
  home: Home
  log: Log
  drive: Drive
  store: StateStore
  history: SignInHistory
  ownerPassword: OwnerPassword
  /** Throws while the server takes no requests, or no changes. */
  admit(res: ServerResponse, changes: boolean): void
}): Promise<OpenDav> {
  const { home, log, drive, store, history, ownerPassword, admit } = options
  const passwords = await openAppPasswords({ home, log, store })
  const locks = createDriveLocks(passwords.has)
  const signIn = createBasicSignIn({ store, passwords, history })
  let handler: ReturnType<typeof loadHandler> | undefined

  /** Most owners use none of it, so it is no part of each start. */
  async function loadHandler() {
    const [{ answerDav, davChanges }, { openDeadProperties }] = await Promise.all([
      import('./dav-handler.ts'),
      import('./dead-properties.ts'),
    ])
    return { answerDav, davChanges, dav: { drive, locks, dead: await openDeadProperties(home) } }
  }

  return {
    locks,
    routes: appPasswordRoutes(passwords, ownerPassword),
    async answer(exchange) {
      const { req, res } = exchange
      handler ??= loadHandler().catch((error: unknown) => {
        handler = undefined // the next request loads it again
        throw error
      })
      const { answerDav, davChanges, dav } = await handler
      const changes = davChanges(req.method)
      admit(res, changes)
      // A browser remembers the password and would send it with what a page of another site asks for.
      if (changes) checkSameOrigin(req)
      const holder = await signIn(exchange)
      if (req.method !== 'PUT') letSend(req, res)
      await answerDav(dav, exchange, holder)
    },
  }
}

import { activeLogin, declineCode, login, openCode, readCode } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { randomToken } from '../../../platform/crypto.ts'
import {
  approveSignIn,
  declineSignIn,
  noteSignInRead,
  openSignIn,
  type SignInDeps,
  takeSignIn,
} from '../sign-in-service.ts'

/** Calls of signing in, by the page that shows a code and by the wallet that reads it. */
export function signInRoutes(deps: SignInDeps): Route[] {
  return [
    // Only script of our own page gets the cookie that lets this browser vouch for its code (`browser-cookie.ts`).
    implement(openCode, async ({ secret, browser, did }, context) => {
      const cookie = context.browser.isOwnPage ? (context.browser.id ?? randomToken()) : undefined
      const matchNumber = await openSignIn(deps, { secret, browser, cookie, did })
      if (cookie) context.browser.keep(cookie)
      return { matchNumber }
    }),
    implement(readCode, async ({ secret }, { browser }) => ({
      here: await noteSignInRead(deps, { secret, cookie: browser.id }),
    })),
    implement(declineCode, async (body) => {
      await declineSignIn(deps, body)
      return {}
    }),
    // Both body shapes of the wire: what stands beside `jws` is an unsigned copy and is not read.
    implement(login, async ({ jws }, { locale, ip, browser }) => {
      await approveSignIn(deps, { jws, locale, ip, cookie: browser.id })
      return {}
    }),
    implement(activeLogin, (body, { userAgent, ip, host, locale }) =>
      takeSignIn(deps, { ...body, userAgent, ip, host, locale }),
    ),
  ]
}

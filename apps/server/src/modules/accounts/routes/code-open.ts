import { openCode } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { randomToken } from '../../../platform/crypto.ts'
import { openSignIn, type SignInDeps } from '../sign-in-service.ts'

/**
 * Only script of our own page gets the cookie that lets this browser vouch for its code (`http/browser-cookie.ts`).
 */
export function codeOpen(deps: SignInDeps): Route {
  return implement(openCode, async ({ secret, browser, did }, context) => {
    const cookie = context.browser.isOwnPage ? (context.browser.id ?? randomToken()) : undefined
    const matchNumber = await openSignIn(deps, { secret, browser, cookie, did })
    if (cookie) context.browser.keep(cookie)
    return { matchNumber }
  })
}

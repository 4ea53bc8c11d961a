/** Signing in to WebDAV: the owner's name and an app password with each request. Cookies open nothing here. */
import { createTries } from '../activation/tries.ts'
import type { Exchange } from '../http/exchange.ts'
import { isOwner, ownerName, placeOf } from '../http/owner-password.ts'
import type { SignInHistory } from '../http/sign-in-history.ts'
import { HttpProblem } from '../kernel/problem.ts'
import type { StateStore } from '../kernel/state-store.ts'
import type { AppPasswords } from './app-passwords.ts'

export function createBasicSignIn(options: { store: StateStore; passwords: AppPasswords; history: SignInHistory }) {
  const { store, passwords, history } = options
  const tries = createTries({ perVisitor: 10, overall: 100, windowMs: 15 * 60_000 })

  /**
   * The id of the app password. Throws 401 signedOut, or 429 tooManyTries after too many wrong ones from this network:
   * a correct one still signs in.
   */
  return async ({ req, res, visitor }: Exchange): Promise<string> => {
    const ask = () => {
      res.setHeader('www-authenticate', 'Basic realm="WebDAV", charset="UTF-8"')
      return new HttpProblem(401, 'signedOut', 'Sign in with your ID and an app password.')
    }
    const { authorization } = req.headers
    if (authorization === undefined) throw ask()
    const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(readBasic(authorization)) ?? []
    const place = placeOf(req, visitor)
    const used = isOwner(name, ownerName(store)) ? passwords.use(password, visitor) : undefined
    if (used?.isNewPlace) await history.note('signedIn', place, used.name)
    if (used) return used.id
    tries.begin(visitor)
    await history.note('wrongPassword', place)
    throw ask()
  }
}

function readBasic(authorization: string): string {
  const [, encoded = ''] = /^basic\s+([\w+/=-]{1,1024})$/i.exec(authorization.trim()) ?? []
  return Buffer.from(encoded, 'base64').toString()
}

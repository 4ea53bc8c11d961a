import type { RouterOptions } from '../http/router.ts'
import { checkSameOrigin } from '../http/same-origin.ts'
import type { Sessions } from '../http/sessions.ts'
import { HttpProblem } from '../kernel/problem.ts'
import type { Standing } from '../link/standing.ts'
import type { Drain } from '../tasks/drain.ts'

/** Beginnings of the paths that only a signed-in browser may ask for. */
const behindSignIn = [' /api/drive/', ' /api/backups', ' /api/sessions', ' /api/app-passwords', ' /api/observe']

/** Every call of `/api` must pass it before its route runs. */
export function createGuard(options: {
  standing: Standing
  sessions: Sessions
  draining: Drain
}): RouterOptions['guard'] {
  const { standing, sessions, draining } = options
  return (key, { req, res }) => {
    if (key !== 'GET /api/status' && key !== 'GET /api/health') standing.check()
    const isRead = key.startsWith('GET ')
    if (!isRead && !key.endsWith(' /api/activation/approve')) checkSameOrigin(req)
    if (behindSignIn.some((path) => key.includes(path)) && sessions.find(req) === undefined)
      throw new HttpProblem(401, 'signedOut', 'Sign in first.')
    draining.admit(res, !isRead)
  }
}

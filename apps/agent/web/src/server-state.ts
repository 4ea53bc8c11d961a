/**
 * Facts that every page's guard needs first: whether the server is set up and active, and its signed-in name. Kept
 * until they change.
 */

import type { SessionState, Status } from '@atoll/contract/personal-server'
import { redirect } from '@tanstack/react-router'
import { setServerClock } from './api/clock.ts'
import { getSession, getStatus } from './api/server.ts'

export interface ServerState {
  status: Status
  session: SessionState
}

let known: Promise<ServerState> | undefined

/** Rejects with `ApiProblem` when the server does not answer; then it is asked again. */
function getServerState(): Promise<ServerState> {
  known ??= askServer().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}

async function askServer(): Promise<ServerState> {
  const askedAt = Date.now()
  const [status, session] = await Promise.all([getStatus(), getSession()])
  setServerClock(status.now, askedAt)
  return { status, session }
}

/** After signing in or out, and while the server is being set up: the next guard asks again. */
export function forgetServerState(): void {
  known = undefined
}

export type Place = 'setup' | 'activate' | 'sign-in' | 'inside'

/** Where a visitor belongs now. */
function placeFor({ status, session }: ServerState): Place {
  if (status.active) return session.name === null ? 'sign-in' : 'inside'
  return status.install.state === 'done' ? 'activate' : 'setup'
}

/** For a page outside: gives the state, or leads to where the visitor belongs. */
export async function requirePlace(wanted: Place): Promise<ServerState> {
  const state = await getServerState()
  const place = placeFor(state)
  // The wizard resets a forgotten password, also while somebody is signed in.
  if (wanted === 'activate' && state.status.resetting) return state
  if (place !== wanted) throw redirect({ to: place === 'inside' ? '/' : `/${place}` })
  return state
}

/** For pages inside: leads out, and back to `href` after signing in. */
export async function requireSession(href: string): Promise<ServerState> {
  const state = await getServerState()
  const place = placeFor(state)
  if (place === 'sign-in') throw redirect({ to: '/sign-in', search: href === '/' ? {} : { next: href } })
  if (place !== 'inside') throw redirect({ to: `/${place}` })
  return state
}

import type { Call, CallBody, CallData, CallPage, Locale, Reach } from '@atoll/contract/wire'
import type { Caller } from '../platform/caller.ts'
import type { Log } from '../platform/log.ts'
import type { BrowserCookie } from './request/browser-cookie.ts'

export interface PublicContext {
  /** From Accept-Language. */
  locale: Locale
  /** Address of the client; behind a trusted proxy, the one it names. */
  ip: string
  /** The host that was asked, with its port. */
  host: string
  userAgent: string
  /** By which a browser is known before anybody signed in. */
  browser: BrowserCookie
  /** Carries the request's id. */
  log: Log
  requestId: string
}

/** Context for a handler of a call that needs a signed-in caller: they were authenticated before it runs. */
export interface AccountContext extends PublicContext {
  account: Caller
}

export type ContextOf<C extends Call> = C['reach'] extends Exclude<Reach, 'anyone'> ? AccountContext : PublicContext

/** A call with its handler, as modules export them; `http/calls.ts` mounts it. */
export interface Route {
  call: Call
  /** `body` has been parsed by the call's schema; `context.account` is there when the call asks for it. */
  handle(body: unknown, context: PublicContext | AccountContext): Promise<unknown>
}

/** Binds a handler to its call; the types of body, data and context follow from the call. */
export function implement<C extends Call>(
  call: C,
  handler: (body: CallBody<C>, context: ContextOf<C>) => Promise<CallData<C> | CallPage<C>>,
): Route {
  // The mount parses with this very call's schema and authenticates when it says so, which is what the types claim.
  return { call, handle: (body, context) => handler(body as CallBody<C>, context as ContextOf<C>) }
}

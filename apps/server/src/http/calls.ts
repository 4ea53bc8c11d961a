import { activeLogin, declineCode, login, openCode, readCode } from '@atoll/contract/accounts'
import { backupUsage, trafficUsage } from '@atoll/contract/billing'
import {
  domainDetail,
  domainList,
  domainRuleSet,
  domainTransferAccept,
  domainTransferSign,
  requestDomainVC,
  submitDomainVP,
} from '@atoll/contract/domains'
import { type Call, codes, type Role } from '@atoll/contract/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../platform/log.ts'
import { readParameters } from '../platform/parameters.ts'
import { localeOfRequest, success } from './answers.ts'
import { browserCookieOf } from './request/browser-cookie.ts'
import type { PublicContext, Route } from './route.ts'

/** Refuses with `signedOut` when the pair is not that of a living session. */
export type Authenticate = (
  userid: string,
  token: string,
  /** Where the request comes from; noted as the place the session was last seen at. */
  ip: string,
) => Promise<{ userid: string; sessionId: string; role: Role; expiresAt: Date }>

/** Calls that pages of other origins make: wallets, and a personal server's settings page that signs in. */
export const openCalls: readonly Call[] = [login, activeLogin, readCode, declineCode]
/** Of these, the ones to which this deployment's own wallet also sends the cookie that names its browser. */
export const cookieCalls: readonly Call[] = [login, readCode]

/**
 * Calls that this deployment's own wallet makes to link itself, and once it did: with the token in the body, never with
 * a cookie.
 */
export const walletCalls: readonly Call[] = [
  openCode,
  domainDetail,
  requestDomainVC,
  submitDomainVP,
  domainRuleSet,
  domainList,
  domainTransferSign,
  domainTransferAccept,
]

/**
 * Calls that the settings page of a personal server makes from its own origin (design/wire, "More facts"): with the
 * token in a header or the body, never with a cookie.
 */
export const settingsCalls: readonly Call[] = [trafficUsage, backupUsage]

/** Mounts the modules' calls: POST, body parsed by the call's schema, answer in the envelope. */
export function mountCalls(app: FastifyInstance, routes: readonly Route[], authenticate: Authenticate): void {
  for (const route of routes) {
    const { path, auth, bodyLimit } = route.call
    const answer = (request: FastifyRequest, reply: FastifyReply) => answerCall(route, request, reply, authenticate)
    if (bodyLimit === undefined) app.post(path, answer)
    else {
      // Nobody gets to send a large body before we know who it is from: that is, by the headers.
      const onRequest = async (request: FastifyRequest) => {
        const { userid, token } = request.headers
        if (auth === 'account') await authenticate(textOf(userid), textOf(token), request.ip)
      }
      app.post(path, { bodyLimit, onRequest }, answer)
    }
  }
}

async function answerCall(
  { call, handle }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  authenticate: Authenticate,
): Promise<unknown> {
  const { credentials, fields } = takeCredentials(request)
  const context: PublicContext = {
    locale: localeOfRequest(request),
    ip: request.ip,
    host: request.host,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    browser: browserCookieOf(request, reply),
    log: request.log as Log, // servers are made with a pino logger (server.ts)
    requestId: request.id,
  }
  // Authentication comes first: someone who is not signed in learns nothing about a body.
  const session =
    call.auth === 'account' ? await authenticate(credentials.userid, credentials.token, request.ip) : undefined
  request.account = session?.userid
  const named = call.namesAccount ? { ...fields, userid: credentials.userid } : fields
  const body = readParameters(call.body, named, context.locale)
  const { ip } = context
  const data = await handle(body, session ? { ...context, account: { ...session, ip } } : context)
  request.answerCode = codes.ok
  reply.header('cache-control', 'no-store')
  return success(data)
}

/** `userid` and `token` from the headers or, where those lack them, from the body; the other fields without them. */
function takeCredentials(request: FastifyRequest): {
  credentials: { userid: string; token: string }
  fields: Record<string, unknown>
} {
  // Our parsers give an object or, without a body, nothing.
  const { userid, token, ...fields } = (request.body ?? {}) as Record<string, unknown>
  const pick = (header: unknown, field: unknown) => textOf(header) || textOf(field)
  return {
    credentials: { userid: pick(request.headers['userid'], userid), token: pick(request.headers['token'], token) },
    fields,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

import { codes, lookHeader, mayLook, needsSession, rates } from '@atoll/contract/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../platform/caller.ts'
import type { Log } from '../platform/log.ts'
import { readParameters } from '../platform/parameters.ts'
import { refuse } from '../platform/refusal.ts'
import { countAccount, countScarce } from './rates/limit-requests.ts'
import { localeOfRequest, success } from './request/answers.ts'
import type { Authenticate } from './request/authenticate-request.ts'
import { browserCookieOf } from './request/browser-cookie.ts'
import { requireStaff } from './request/require-staff.ts'
import type { PublicContext, Route } from './route.ts'
import { withoutOwnersAlone } from './without-owners-alone.ts'

/** The customer as whom a staff member looks; refuses without a reason that holds, and records the look. */
export type LookAs = (staff: Caller, accountId: string) => Promise<Caller>

/**
 * Mounts the modules' calls: POST, body parsed by the call's schema, answer in the envelope. Without `lookAs` nobody
 * looks as somebody else.
 */
export function mountCalls(
  app: FastifyInstance,
  routes: readonly Route[],
  authenticate: Authenticate,
  lookAs?: LookAs,
): void {
  for (const route of routes) {
    const { path, reach, bodyLimit, rate } = route.call
    const config = { rate: rates[rate], isCall: true } as const
    const answer = (request: FastifyRequest, reply: FastifyReply) =>
      answerCall(route, request, reply, { authenticate, lookAs })
    if (bodyLimit === undefined) app.post(path, { config }, answer)
    else {
      // Nobody gets to send a large body before we know who it is from: that is, by the headers.
      const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
        const { userid, token } = request.headers
        if (!needsSession(reach)) return
        const session = await authenticate(textOf(userid), textOf(token), request.ip)
        countAccount(request, reply, session.userid)
        requireStaff(reach, session.staff, path)
      }
      app.post(path, { config, bodyLimit, onRequest }, answer)
    }
  }
}

async function answerCall(
  { call, handle }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate, lookAs }: { authenticate: Authenticate; lookAs: LookAs | undefined },
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
  const session = needsSession(call.reach)
    ? await authenticate(credentials.userid, credentials.token, request.ip)
    : undefined
  request.account = session?.userid
  // Large bodies are counted before they are read.
  if (session && call.bodyLimit === undefined) countAccount(request, reply, session.userid)
  requireStaff(call.reach, session?.staff, call.path)
  const customer = session ? textOf(request.headers[lookHeader]) : ''
  if (customer !== '') {
    requireStaff('staff', session?.staff, call.path)
    if (!lookAs || !mayLook(call)) refuse('lookOnly')
  }
  const named = call.namesAccount ? { ...fields, userid: credentials.userid } : fields
  const body = readParameters(call.body, named, context.locale)
  await countScarce(request, session?.userid)
  const { ip } = context
  const account = session && { ...session, ip }
  const looker = customer !== '' && account
  const shown = looker ? await lookAs?.(looker, customer) : account
  const data = await handle(body, shown ? { ...context, account: shown } : context)
  request.answerCode = codes.ok
  reply.header('cache-control', 'no-store')
  return success(looker ? withoutOwnersAlone(call.page?.or(call.data) ?? call.data, data) : data)
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

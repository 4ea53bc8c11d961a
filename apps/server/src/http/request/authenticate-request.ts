import { lookHeader } from '@atoll/contract/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../platform/caller.ts'
import { refuse } from '../../platform/refusal.ts'
import { countAccount } from '../rates/limit-requests.ts'
import { credentialsOf } from './credentials.ts'

/** Refuses with `signedOut` when the pair is not that of a living session. */
export type Authenticate = (
  did: string,
  token: string,
  /** Where the request comes from; noted as the place the session was last seen at. */
  ip: string,
) => Promise<Omit<Caller, 'ip' | 'isSystem'> & { expiresAt: Date }>

/**
 * Authenticates the caller of an endpoint that is no call: refuses as `authenticate` does, an account over its rate,
 * and staff who look as a customer.
 */
export async function authenticateRequest(
  authenticate: Authenticate,
  request: FastifyRequest,
  reply: FastifyReply,
): ReturnType<Authenticate> {
  if (request.headers[lookHeader] !== undefined) refuse('lookOnly')
  const { userid, token } = credentialsOf(request)
  const session = await authenticate(userid, token, request.ip)
  request.account = session.userid
  countAccount(request, reply, session.userid)
  return session
}

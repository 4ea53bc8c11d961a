/**
 * How the identity service reads and answers: its own envelope with code 0, and bare DIF resolution results (wire).
 */
import { JwsBody } from '@atoll/contract/identity'
import type { DIDResolutionResult } from '@atoll/did'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { localeOfRequest } from '../../../http/answers.ts'
import { readParameters } from '../../../platform/parameters.ts'
import type { JwsRequest } from '../name-service.ts'

export function success(data?: unknown): { code: 0; message: string; data?: unknown } {
  return { code: 0, message: 'success', ...(data !== undefined && { data }) }
}

export function readJwsRequest(request: FastifyRequest): JwsRequest {
  const locale = localeOfRequest(request)
  return { jws: readParameters(JwsBody, request.body ?? {}, locale).jws, locale, ip: request.ip }
}

/**
 * The part of the path that the route's final wildcard stands for, decoded. It may hold a slash, and has any length.
 */
export function restOfPath(request: FastifyRequest): string {
  return (request.params as { '*': string })['*'] // given for every route that ends with a wildcard
}

/** HTTP status of each DIF error code (DID Resolution, "HTTP(S) binding"). */
const statusOf: Record<string, number> = { invalidDid: 400, notFound: 404, methodNotSupported: 501, internalError: 500 }

export async function sendResolution(reply: FastifyReply, result: DIDResolutionResult): Promise<void> {
  const { error } = result.didResolutionMetadata
  await reply.code(error === undefined ? 200 : (statusOf[error] ?? 500)).send(result)
}

import { type StreamCall, streamCalls } from '@atoll/contract/api'
import { type IdentityCall, identityCalls } from '@atoll/contract/identity'
import { type Call, codes, needsSession, syncCookieName } from '@atoll/contract/wire'
import { z } from 'zod'

const envelopeOf = (data: object, success: number = codes.ok) => ({
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer', description: `${success} is success; the HTTP status is always 200.` },
    message: { type: 'string' },
    field: { type: 'string', description: 'The field that is refused, where a person can give another value.' },
    data,
  },
})

/**
 * The OpenAPI 3.1 document of these calls, what is streamed, and the identity service, made from the schemas that
 * validate them.
 */
export function openApiDocument(calls: readonly Call[], options: { title: string; url: string }): object {
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: '1',
      description:
        'Bodies are forms or JSON; `/api/v1/…` answers as `/v1/…`, and each path with a slash at its end as without.',
      license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: options.url }],
    paths: Object.fromEntries([
      ...calls.map((call) => [withoutSlash(call.path), { post: operationOf(call) }]),
      ...streamCalls.map((call) => [call.path, { [call.method]: streamOperationOf(call) }]),
      ...identityCalls.map((call) => [call.path, { [call.method]: identityOperationOf(call) }]),
    ]),
    components: {
      securitySchemes: {
        userid: { type: 'apiKey', in: 'header', name: 'userid' },
        token: { type: 'apiKey', in: 'header', name: 'token' },
        [syncCookieName]: { type: 'apiKey', in: 'cookie', name: syncCookieName },
      },
      responses: {
        malformed: answerOf('Wrong as HTTP; no client that speaks it gets this.', envelopeOf({ type: 'null' })),
      },
    },
  }
}

const malformed = { $ref: '#/components/responses/malformed' }

function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/$/, '')
}

function operationOf(call: Call): object {
  const body = schemaOf(call.body, 'input')
  const answered = schemaOf(call.data, 'output')
  const data = call.page ? { anyOf: [answered, schemaOf(call.page, 'output')] } : answered
  return {
    operationId: call.name,
    summary: call.summary,
    security: needsSession(call.reach) ? [{ userid: [], token: [] }] : [],
    requestBody: requestBodyOf(body),
    responses: { 200: answerOf('The envelope.', envelopeOf(data)), 400: malformed },
  }
}

function streamOperationOf({ name, summary, parameters, header, body, contentType, event }: StreamCall): object {
  const text = { type: 'string' }
  const streamed = {
    ...text,
    // OpenAPI 3.1 has no words for a stream: this is what each of its events holds.
    ...(event && { contentMediaType: 'application/json', contentSchema: schemaOf(event, 'output') }),
  }
  const refusal = { 'application/json': { schema: envelopeOf({ type: 'null' }) } }
  return {
    operationId: name,
    summary,
    security: [{ userid: [], token: [] }, { [syncCookieName]: [] }],
    parameters: [
      { name: 'userid', in: 'query', required: false, description: 'With the cookie.', schema: text },
      ...(parameters ?? []).map((one) => ({ ...one, required: one.in === 'path', schema: text })),
      ...(header ? [{ ...header, in: 'header', required: false, schema: text }] : []),
    ],
    ...(body && { requestBody: requestBodyOf(schemaOf(body, 'input')) }),
    responses: {
      200: {
        description: 'What was asked for, or a refusal as an envelope.',
        content: { [contentType]: { schema: streamed }, ...refusal },
      },
      400: malformed,
    },
  }
}

function identityOperationOf(call: IdentityCall): object {
  const { parameter, body, answer } = call
  const data = schemaOf(call.data, 'output')
  return {
    operationId: call.name,
    summary: call.summary,
    // Bodies of these calls are signed instead.
    security: [],
    ...(parameter && { parameters: [{ ...parameter, in: 'path', required: true, schema: { type: 'string' } }] }),
    ...(body && { requestBody: requestBodyOf(schemaOf(body, 'input')) }),
    responses:
      answer === 'envelope'
        ? { 200: answerOf('The envelope.', envelopeOf(data, 0)), 400: malformed }
        : {
            200: answerOf('The resolution result.', data),
            400: answerOf('`invalidDid`', data),
            404: answerOf('`notFound`', data),
            501: answerOf('`methodNotSupported`', data),
          },
  }
}

function requestBodyOf(schema: object): object {
  return {
    content: { 'application/x-www-form-urlencoded': { schema, encoding: {} }, 'application/json': { schema } },
  }
}

function answerOf(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } }
}

/** `unrepresentable: 'any'`: a check in code has no JSON Schema, its field is still listed. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

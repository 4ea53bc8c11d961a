import { type Call, codes } from '@atoll/contract'
import { z } from 'zod'

const envelopeOf = (data: object) => ({
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer', description: `${codes.ok} is success; the HTTP status is always 200.` },
    message: { type: 'string' },
    data,
  },
})

/** The OpenAPI 3.1 document of these calls, made from the schemas that validate them. */
export function openApiDocument(calls: readonly Call[], options: { title: string; url: string }): object {
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: '1',
      description: 'Bodies are forms or JSON; `/api/v1/…` answers as `/v1/…`.',
    },
    servers: [{ url: options.url }],
    paths: Object.fromEntries(calls.map((call) => [call.path, { post: operationOf(call) }])),
    components: {
      securitySchemes: {
        userid: { type: 'apiKey', in: 'header', name: 'userid' },
        token: { type: 'apiKey', in: 'header', name: 'token' },
      },
    },
  }
}

function operationOf(call: Call): object {
  const body = schemaOf(call.body, 'input')
  return {
    operationId: call.name,
    summary: call.summary,
    ...(call.auth === 'account' && { security: [{ userid: [], token: [] }] }),
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': { schema: body, encoding: {} },
        'application/json': { schema: body },
      },
    },
    responses: {
      200: {
        description: 'The envelope.',
        content: { 'application/json': { schema: envelopeOf(schemaOf(call.data, 'output')) } },
      },
    },
  }
}

/** `unrepresentable: 'any'`: a check in code has no JSON Schema, its field is still listed. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

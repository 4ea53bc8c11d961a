/** The identity service's endpoints, described for the OpenAPI document and for tests (wire, "Identity service"). */
import { z } from 'zod'
import { JwsBody, ResolutionResult } from './identity.ts'

export interface IdentityCall {
  /** camelCase, unique among all calls; the operationId. */
  name: string
  method: 'get' | 'post'
  /** With its parameter in braces. */
  path: `/${string}`
  summary: string
  /** The parameter in the path. */
  parameter?: { name: string; description: string; example: string }
  body?: z.ZodType
  /**
   * `envelope`: `{code, message, data}` with code 0 for success, HTTP 200. `resolution`: bare, with the HTTP status of
   * its DIF error.
   */
  answer: 'envelope' | 'resolution'
  data: z.ZodType
}

const exampleDid = 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2'
const did = { name: 'did', description: 'A did:key of an Ed25519 key.', example: exampleDid }
const DottedName = z.string().describe('The name with its @ written as a dot.')

export const identityCalls: readonly IdentityCall[] = [
  {
    name: 'createLocal',
    method: 'post',
    path: '/create_local',
    summary: 'Registers the DID that signed `{did: "did:key:z…#z…"}`; safe to repeat.',
    body: JwsBody,
    answer: 'envelope',
    data: z.undefined(),
  },
  {
    name: 'bindName',
    method: 'post',
    path: '/bind_name',
    summary: 'Binds a name to the registered DID that signed `{name, did, time}`; the same name again is a success.',
    body: JwsBody,
    answer: 'envelope',
    data: DottedName,
  },
  {
    name: 'nameDomains',
    method: 'get',
    path: '/name_domains',
    summary: 'The domains under which names can be bound here.',
    answer: 'envelope',
    data: z.array(z.string()),
  },
  {
    name: 'nameTaken',
    method: 'get',
    path: '/name_taken/{name}',
    summary: 'Whether a name belongs to somebody; a plain yes or no while it is being chosen.',
    parameter: { name: 'name', description: 'The name with its @ written as a dot.', example: 'reef.atoll.test' },
    answer: 'envelope',
    data: z.boolean(),
  },
  {
    name: 'getNameByDid',
    method: 'get',
    path: '/get_name_by_did/{did}',
    summary: 'The name bound to a DID.',
    parameter: did,
    answer: 'envelope',
    data: DottedName,
  },
  {
    name: 'resolveDid',
    method: 'get',
    path: '/1.0/identifiers/{did}',
    summary: 'The DID document of a DID, as a DIF resolution result.',
    parameter: did,
    answer: 'resolution',
    data: ResolutionResult,
  },
  {
    name: 'resolveName',
    method: 'get',
    path: '/1.0/name/{name}',
    summary: 'The DID document of the DID that a name is bound to, as a DIF resolution result.',
    parameter: {
      name: 'name',
      description: 'The name with its @ written as a dot.',
      example: 'reef.atoll.test',
    },
    answer: 'resolution',
    data: ResolutionResult,
  },
]

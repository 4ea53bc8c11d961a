import * as contract from '@atoll/contract'
import { AuditFilter, BindNamePayload, type Call, errorMessage, LoginHeader, LoginPayload } from '@atoll/contract'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { readParameters } from './bad-parameter.ts'
import { Refusal } from './refusal.ts'

const calls = Object.values<unknown>(contract).filter(
  (value): value is Call => typeof value === 'object' && value !== null && 'path' in value && 'auth' in value,
)
const schemas: [string, z.ZodType][] = [
  ...calls.map((call): [string, z.ZodType] => [call.name, call.body]),
  ['AuditFilter', AuditFilter],
  ['BindNamePayload', BindNamePayload],
  ['LoginPayload', LoginPayload],
  ['LoginHeader', LoginHeader],
]

/** Values that some field of ours refuses, each for a reason of its own. */
const bad = ['', '?', '不', 'x'.repeat(400), '-1', 'false', -1, 1.5, null, true, ['a'], { a: 1 }]
const selfHosts = { clusterType: 'SelfHost', reverseProxy: 'none' }
const rest: Record<string, unknown>[] = [
  {},
  { clusterType: 'Cloud' },
  selfHosts,
  { ...selfHosts, cloudflare: { tunnelToken: 'x'.repeat(40), hostname: 'a.example' } },
  { ...selfHosts, reverseProxy: 'frp', address: 'a.example' },
  { ...selfHosts, reverseProxy: 'cloudflare', cloudflare: { tunnelToken: '?'.repeat(50), hostname: 'a.example' } },
  { ...selfHosts, reverseProxy: 'cloudflare', cloudflare: { tunnelToken: 'x'.repeat(40), hostname: 'A' } },
]
const good: Record<string, unknown> = {
  clusterId: 'cl_aaaaaaaa',
  did: 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2',
  name: 'reef@atoll.test',
  time: 1,
}

/** What a reader of `locale` is told of each of these bodies that `schema` refuses. */
function sentencesOf(schema: z.ZodType, locale: contract.Locale): string[] {
  // Only objects have a shape; the order of a cluster is a choice of two.
  const fields = Object.keys((schema as Partial<z.ZodObject>).shape ?? { address: 1, name: 1, requestId: 1 })
  const bodies = rest.flatMap((others) =>
    fields.flatMap((field) =>
      bad.flatMap((value) => [
        { ...others, [field]: value },
        { ...good, [field]: value },
      ]),
    ),
  )
  return bodies.flatMap((body) => {
    try {
      readParameters(schema, body, locale)
      return []
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return [error.sentence(locale)]
    }
  })
}

describe('a field that is wrong', () => {
  it.each(schemas)('is told of %s in Chinese throughout, and in English throughout', (_, schema) => {
    for (const sentence of new Set(sentencesOf(schema, 'zh-CN'))) {
      expect(sentence.slice(sentence.indexOf('：'))).toMatch(/\p{Script=Han}/u)
    }
    for (const sentence of new Set(sentencesOf(schema, 'en-US'))) expect(sentence).not.toMatch(/[：。]/)
  })

  it('is told with our own reason where zod would show a pattern', () => {
    const told = () => readParameters(contract.clusterUsage.body, { clusterId: 'x' }, 'zh-CN')
    expect(told).toThrow(
      errorMessage('badParameter', 'en-US', { field: 'clusterId', reason: '必须是以 cl_ 开头的 ID' }),
    )
  })
})

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

/** What a reader of `locale` is told of `body`; undefined when nothing is wrong with it. */
function sentenceOf(schema: z.ZodType, body: unknown, locale: contract.Locale): string | undefined {
  try {
    readParameters(schema, body, locale)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.sentence(locale)
  }
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
  return bodies.flatMap((body) => sentenceOf(schema, body, locale) ?? [])
}

describe('a field that is wrong', () => {
  it.each(schemas)('is told of %s in Chinese throughout, and in English throughout', (_, schema) => {
    for (const sentence of new Set(sentencesOf(schema, 'zh-CN'))) {
      expect(sentence.slice(sentence.indexOf('：'))).toMatch(/\p{Script=Han}/u)
    }
    for (const sentence of new Set(sentencesOf(schema, 'en-US'))) expect(sentence).not.toMatch(/[：。]/)
  })

  it.each(schemas)('is told with what %s expects', (_, schema) => {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      for (const sentence of sentencesOf(schema, locale)) expect(sentence).not.toMatch(/(Invalid input|无效输入)$/)
    }
  })

  it.each([
    [contract.createWorker, { quantity: 'many' }, 'quantity: must be a whole number', 'quantity：必须是整数'],
    [contract.createWorker, { quantity: 1.5 }, 'quantity: must be a whole number', 'quantity：必须是整数'],
    [contract.destroyMaster, { confirm: '1' }, 'confirm: must be true or false', 'confirm：必须为 true 或 false'],
    [
      contract.createCluster,
      { clusterType: 'Other' },
      'clusterType: must be Cloud or SelfHost',
      'clusterType：必须为 Cloud 或 SelfHost',
    ],
  ] as [Call, object, string, string][])(
    'of several kinds is told with all of them: %#',
    (call, fields, english, chinese) => {
      const body = { clusterId: 'cl_aaaaaaaa', offering: 'tide-2', ...fields }
      expect(sentenceOf(call.body, body, 'en-US')).toBe(english)
      expect(sentenceOf(call.body, body, 'zh-CN')).toBe(chinese)
    },
  )

  it('is told with our own reason where zod would show a pattern', () => {
    const told = () => readParameters(contract.clusterUsage.body, { clusterId: 'x' }, 'zh-CN')
    expect(told).toThrow(
      errorMessage('badParameter', 'en-US', { field: 'clusterId', reason: '必须是以 cl_ 开头的 ID' }),
    )
  })
})

import { LoginHeader, LoginPayload } from '@atoll/contract/accounts'
import { AuditFilter } from '@atoll/contract/audit'
import * as contract from '@atoll/contract/everything'
import { BindNamePayload } from '@atoll/contract/identity'
import type { Call } from '@atoll/contract/wire'
import { errorMessage } from '@atoll/texts/refusals'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readParameters } from './parameters.ts'
import { Refusal } from './refusal.ts'

const calls = Object.values<unknown>(contract).filter(
  (value): value is Call => typeof value === 'object' && value !== null && 'path' in value && 'reach' in value,
)
const schemas: [string, z.ZodType][] = [
  ...calls.map((call): [string, z.ZodType] => [call.name, call.body]),
  ['AuditFilter', AuditFilter],
  ['BindNamePayload', BindNamePayload],
  ['LoginPayload', LoginPayload],
  ['LoginHeader', LoginHeader],
]

/** Values that at least one field of the API refuses, each for a different reason. */
const badTexts = ['', '?', '不', 'x', 'x'.repeat(400), 'x'.repeat(70_000), '-1', '0', '1000000000', 'false']
const bad = [...badTexts, -1, 0, 1.5, 1_000_000_000, Number.MAX_SAFE_INTEGER, null, true, ['a'], [], { a: 1 }]
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

/** The message for `body` in `locale`; undefined when nothing is wrong with it. */
function sentenceOf(schema: z.ZodType, body: unknown, locale: contract.Locale): string | undefined {
  try {
    readParameters(schema, body, locale)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.sentence(locale)
  }
}

const told = new Map<z.ZodType, Partial<Record<contract.Locale, string[]>>>()

/** The messages in `locale` for each of these bodies that `schema` refuses. */
function sentencesOf(schema: z.ZodType, locale: contract.Locale): string[] {
  const known = told.get(schema) ?? {}
  told.set(schema, known)
  // Only objects have a shape; the order of a cluster is a choice of two.
  const fields = Object.keys((schema as Partial<z.ZodObject>).shape ?? { address: 1, name: 1, requestId: 1 })
  const others = [...rest, good]
  known[locale] ??= fields
    .flatMap((field) => bad.flatMap((value) => others.map((other) => ({ ...other, [field]: value }))))
    .flatMap((body) => sentenceOf(schema, body, locale) ?? [])
  return known[locale]
}

describe('a field that is wrong', () => {
  it.each(schemas)('of %s is described in Chinese throughout, and in English throughout', (_, schema) => {
    for (const sentence of new Set(sentencesOf(schema, 'zh-CN'))) {
      expect(sentence.slice(sentence.indexOf('：'))).toMatch(/\p{Script=Han}/u)
    }
    for (const sentence of new Set(sentencesOf(schema, 'en-US'))) expect(sentence).not.toMatch(/[：。]/)
  })

  it.each(schemas)('is described by the limits of %s without an operator or a name of zod', (_, schema) => {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      for (const sentence of sentencesOf(schema, locale))
        expect(sentence).not.toMatch(/[<>]=? ?\d|^[^:：]+[:：]\s?(Too|数值过)/)
    }
  })

  it.each([
    [z.int().max(64), 65, 'must be 64 or less', '不能大于 64'],
    [z.int().min(1), 0, 'must be 1 or more', '不能小于 1'],
    [z.number().lt(2), 2, 'must be less than 2', '必须小于 2'],
    [z.number().positive(), 0, 'must be more than 0', '必须大于 0'],
    [z.string().max(3), 'long', 'must have at most 3 characters', '不能超过 3 个字符'],
    [z.string().min(2), 'x', 'must have at least 2 characters', '不能少于 2 个字符'],
    [z.string().min(1), '', 'must not be empty', '不能为空'],
    [z.string().length(4), 'x', 'must have exactly 4 characters', '必须恰好为 4 个字符'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item', '不能超过 1 项'],
    [z.array(z.string()).min(2), [], 'must have at least 2 items', '不能少于 2 项'],
  ] as [z.ZodType, unknown, string, string][])(
    'beyond a limit is described in words: %#',
    (field, value, english, chinese) => {
      const schema = z.object({ field })
      expect(sentenceOf(schema, { field: value }, 'en-US')).toBe(`field: ${english}`)
      expect(sentenceOf(schema, { field: value }, 'zh-CN')).toBe(`field：${chinese}`)
    },
  )

  it.each(schemas)('of %s is described in no word of the validator', (_, schema) => {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      for (const sentence of sentencesOf(schema, locale))
        expect(sentence).not.toMatch(/[Ii]nvalid|expected|received|无效|期望|预期|实际接收/)
    }
  })

  it.each(schemas)('is described by what %s expects', (_, schema) => {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      for (const sentence of sentencesOf(schema, locale)) expect(sentence).not.toMatch(/(Invalid input|无效输入)$/)
    }
  })

  it.each([
    [contract.createWorker, { quantity: 'many' }, 'quantity: must be a whole number', 'quantity：必须是整数'],
    [
      contract.clusterMonitor,
      { range: 'x' },
      'range: must be one of: 12h, 24h, 3d, 7d',
      'range：必须为以下之一：12h、24h、3d、7d',
    ],
    [contract.createWorker, { quantity: 1.5 }, 'quantity: must be a whole number', 'quantity：必须是整数'],
    [contract.destroyMaster, { confirm: '1' }, 'confirm: must be true or false', 'confirm：必须为 true 或 false'],
    [
      contract.createCluster,
      { clusterType: 'Other' },
      'clusterType: must be Cloud or SelfHost',
      'clusterType：必须为 Cloud 或 SelfHost',
    ],
  ] as [Call, object, string, string][])(
    'of several kinds is described by all of them: %#',
    (call, fields, english, chinese) => {
      const body = { clusterId: 'cl_aaaaaaaa', offering: 'tide-2', ...fields }
      expect(sentenceOf(call.body, body, 'en-US')).toBe(english)
      expect(sentenceOf(call.body, body, 'zh-CN')).toBe(chinese)
    },
  )

  it('is described by our own reason where zod would show a pattern', () => {
    const read = () => readParameters(contract.clusterUsage.body, { clusterId: 'x' }, 'zh-CN')
    expect(read).toThrow(
      errorMessage('badParameter', 'en-US', { field: 'clusterId', reason: '必须是以 cl_ 开头的 ID' }),
    )
  })
})

it('text that no column can hold is refused by its field, in fields that the schema passes over too', () => {
  const schema = z.looseObject({ name: z.string() })
  for (const [value, field] of [
    [{ name: 'a\0b' }, 'name'],
    [{ name: 'a', extra: { list: ['x', '\ud800'] } }, 'extra[list][1]'],
  ] as const) {
    expect(() => readParameters(schema, value, 'en-US')).toThrow(
      expect.objectContaining({ key: 'badParameter', params: expect.objectContaining({ field }) }),
    )
  }
})

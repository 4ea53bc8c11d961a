/**
 * A word that we do not know yet breaks no answer (design/wire): of every call, each enum of the answer is given a word
 * that it does not have, wherever the schema has it.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import * as contract from '../everything.ts'
import type { Call } from '../wire/call.ts'
import { readOpen, unreadableRows } from '../wire/unknown-words/read-open.ts'
import { type Definition, enumsIn, find, newWord, withNewWords } from './new-words.fixture.ts'

const calls = Object.values(contract as Record<string, unknown>).filter(
  (value): value is Call => typeof value === 'object' && value !== null && 'path' in value && 'reach' in value,
)

/** Values that a schema takes: for each option of each union one, with one element in each list. */
function samplesOf(schema: z.core.$ZodType): unknown[] {
  const { def } = schema._zod as unknown as { def: Definition }
  switch (def.type) {
    case 'object': {
      const all = Object.entries(def.shape).map(([key, field]) => [key, samplesOf(field)] as const)
      const fields = all.filter(([, samples]) => samples.length > 0)
      const most = Math.max(1, ...fields.map(([, samples]) => samples.length))
      return Array.from({ length: most }, (_, at) =>
        Object.fromEntries(fields.map(([key, samples]) => [key, samples[at % samples.length]])),
      )
    }
    case 'array':
      return samplesOf(def.element).map((element) => [element])
    case 'tuple':
      return [def.items.map((item) => samplesOf(item)[0])]
    case 'record': {
      const [key] = samplesOf(def.keyType)
      return samplesOf(def.valueType).map((value) => ({ [String(key)]: value }))
    }
    case 'union':
      return def.options.flatMap(samplesOf)
    case 'nullable':
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return samplesOf(def.innerType)
    case 'pipe':
      return [[...samplesOf(def.in), ...numbers].find((sample) => z.safeParse(schema, sample).success)]
    case 'lazy':
      return samplesOf(def.getter())
    case 'enum':
      return [Object.values(def.entries)[0]]
    case 'literal':
      return [def.values[0]]
    case 'boolean':
      return [true]
    case 'null':
      return [null]
    case 'number':
      return [numbers.find((number) => z.safeParse(schema, number).success)]
    case 'string':
      return [textOf(schema)]
    case 'never':
      return []
    case 'unknown':
    case 'any':
      return ['anything']
    default:
      throw new Error(`no sample of ${(def as { type: string }).type}`)
  }
}

const numbers = [7, 0, 1, 0.5, 20, 100, 1_800_000_000_000]
const commonTexts = [
  ...['a', 'reef', '2026-11-27T08:00:00.000Z', '2026-11-27', 'https://atoll.test/', 'lena@example.com', '12', '0.5'],
  ...['did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2', 'a'.repeat(64), 'YQ', 'YQ==', '192.0.2.1'],
]

function textOf(schema: z.core.$ZodType): string {
  const takes = (text: string) => z.safeParse(schema, text).success
  const common = commonTexts.find(takes)
  if (common !== undefined) return common
  const { pattern, allOf = [] } = z.toJSONSchema(schema, { unrepresentable: 'any' })
  for (const regex of [pattern, ...allOf.map((part) => part.pattern)]) {
    if (regex === undefined) continue
    const found = fc.sample(fc.stringMatching(new RegExp(regex)), { seed: 29, numRuns: 20 }).find(takes)
    if (found !== undefined) return found
  }
  throw new Error(`no text that ${pattern ?? 'a schema without a pattern'} takes`)
}

let enums = 0

test.each(calls.map((call) => [call.name, call] as const))(
  '%s: each enum of the answer may have a new word',
  (_, call) => {
    for (const sample of samplesOf(call.data)) {
      expect(call.data.safeParse(sample).error).toBeUndefined()
      for (const path of enumsIn(call.data, sample)) {
        enums += 1
        const sent = withNewWords(sample, [path])
        expect(call.data.safeParse(sent).success, `sending ${path.join('.')}`).toBe(false)
        const { data, error } = readOpen(call.data, sent)
        expect(error, `reading ${path.join('.')}`).toBeUndefined()
        const isListed = typeof path.at(-1) === 'number'
        const there = find(data, isListed ? path.slice(0, -1) : path)
        // A word of a list is left out, any other stands where it was.
        expect(there, path.join('.')).toEqual(isListed ? [] : newWord)
        expect(unreadableRows(there as object)).toBe(0)
      }
    }
  },
)

test('there are such words', () => {
  expect(enums).toBeGreaterThan(150)
})

import { paymentDetail } from '@atoll/contract/billing'
import { isOwnersAlone, mayLook, ownersAlone } from '@atoll/contract/wire'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { calls } from '../authorization/testing/table-calls.ts'
import { withoutOwnersAlone } from './without-owners-alone.ts'

it('leaves out fields that are the owner’s alone, wherever they stand', () => {
  const Inner = z.object({ secret: ownersAlone(z.string().optional()), shown: z.int() })
  const schema = z.object({
    list: z.array(Inner),
    one: Inner.nullable(),
    either: z.union([z.null(), Inner]).optional(),
  })
  const [inner, left] = [{ secret: 'swordfish', shown: 1 }, { shown: 1 }]
  const answer = { list: [inner], one: inner, either: inner }
  expect(withoutOwnersAlone(schema, answer)).toEqual({ list: [left], one: left, either: left })
  // The page of the bank, where a payment is approved.
  expect(withoutOwnersAlone(paymentDetail.data, { actionUrl: 'https://bank.example' })).toEqual({})
})

/** Whether a mark in `schema` stands where `withoutOwnersAlone` does not come to. */
function hidesMark(schema: z.ZodType, isReached = true): boolean {
  const { type } = schema.def
  const inner = Object.values(schema instanceof z.ZodObject ? schema.shape : schema.def)
  const parts = inner.flat().filter((part) => part instanceof z.ZodType)
  const goesOn = isReached && ['object', 'array', 'union', 'optional', 'nullable', 'default'].includes(type)
  return parts.some((part) => (isOwnersAlone(part) && !(goesOn && type === 'object')) || hidesMark(part, goesOn))
}

it('gets to each mark in the answers that staff may read as a customer', () => {
  const Inner = z.object({ secret: ownersAlone(z.string()) })
  expect([Inner, z.record(z.string(), Inner), z.array(Inner.partial())].map((one) => hidesMark(one))).toEqual([
    false,
    true,
    true,
  ])
  const hiding = calls.filter((call) => mayLook(call) && hidesMark(call.page?.or(call.data) ?? call.data))
  expect(hiding.map(({ name }) => name)).toEqual([])
})

import { isOwnersAlone } from '@atoll/contract/wire'
import { z } from 'zod'

/** `value`, an answer of `schema`, without the fields that are the owner's alone. */
export function withoutOwnersAlone(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return withoutOwnersAlone(schema.unwrap() as z.ZodType, value) // of a schema of the contract
  if (schema instanceof z.ZodUnion)
    return schema.options.reduce<unknown>((left, option) => withoutOwnersAlone(option as z.ZodType, left), value)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => withoutOwnersAlone(schema.element as z.ZodType, each))
  if (!(schema instanceof z.ZodObject)) return value
  const fields: Partial<Record<string, z.ZodType>> = schema.shape
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const field = fields[name]
    return field === undefined
      ? [[name, inner]]
      : isOwnersAlone(field)
        ? []
        : [[name, withoutOwnersAlone(field, inner)]]
  })
  return Object.fromEntries(kept)
}

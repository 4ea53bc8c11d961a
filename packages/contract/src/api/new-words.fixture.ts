/**
 * Where an answer has words of enums, found by walking its schema, and the answer with a word that is newer than we.
 */
import { z } from 'zod'

export const newWord = 'brandNewWord'

/** A schema's definition as zod keeps it, for the kinds that answers are made of. */
export type Definition =
  | { type: 'object'; shape: Record<string, z.core.$ZodType> }
  | { type: 'array'; element: z.core.$ZodType }
  | { type: 'tuple'; items: z.core.$ZodType[] }
  | { type: 'record'; keyType: z.core.$ZodType; valueType: z.core.$ZodType }
  | { type: 'union'; options: z.core.$ZodType[] }
  | { type: 'nullable' | 'optional' | 'default' | 'prefault' | 'readonly'; innerType: z.core.$ZodType }
  | { type: 'pipe'; in: z.core.$ZodType }
  | { type: 'lazy'; getter: () => z.core.$ZodType }
  | { type: 'enum'; entries: Record<string, string> }
  | { type: 'literal'; values: unknown[] }
  | { type: 'boolean' | 'null' | 'number' | 'string' | 'unknown' | 'any' | 'never' }

export type Path = readonly (string | number)[]

/** Where `value`, of `schema`, has a word of an enum. */
export function enumsIn(schema: z.core.$ZodType, value: unknown, path: Path = []): Path[] {
  const { def } = schema._zod as unknown as { def: Definition }
  if (def.type === 'enum') return typeof value === 'string' ? [path] : []
  if (def.type === 'object' && typeof value === 'object' && value !== null)
    return Object.entries(def.shape).flatMap(([key, field]) => enumsIn(field, Reflect.get(value, key), [...path, key]))
  if (def.type === 'array' && Array.isArray(value))
    return value.flatMap((one, at) => enumsIn(def.element, one, [...path, at]))
  if (def.type === 'record' && typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => enumsIn(def.valueType, one, [...path, key]))
  if (def.type === 'union') {
    const of = def.options.find((option) => z.safeParse(option, value).success)
    return of ? enumsIn(of, value, path) : []
  }
  if ('innerType' in def) return enumsIn(def.innerType, value, path)
  if (def.type === 'pipe') return enumsIn(def.in, value, path)
  if (def.type === 'lazy') return enumsIn(def.getter(), value, path)
  return []
}

/** The value at `path`. */
export const find = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value)

/** A copy of `value` with the new word at each of `paths`. */
export function withNewWords(value: unknown, paths: readonly Path[]): unknown {
  const copy = structuredClone({ value })
  for (const path of paths) {
    const inside = ['value', ...path]
    Object.assign(find(copy, inside.slice(0, -1)) as object, { [inside.at(-1) as string]: newWord })
  }
  return copy.value
}

import { findUnstorable, type Locale } from '@atoll/contract/wire'
import type { z } from 'zod'
import { fieldReasonIn, issueReasonIn } from './fields.ts'

/** Why a value was not read: a row of the error catalogue, and what fills its sentence. */
export interface FieldFault {
  key: 'badParameter' | 'missingParameter' | 'unknownParameter'
  params: { field: string; reason?: string }
}

/** A row of the field reasons. */
const storableTextReason = 'storableText'

/**
 * `value` as `schema` reads it, or the first field that is missing, unknown or malformed (design/api), the reason in
 * `locale`. Text that no column can hold is such a fault also in fields that `schema` passes over: they may be kept as
 * they came.
 */
export function readFields<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  locale: Locale,
): { data: z.output<Schema> } | { fault: FieldFault } {
  const fault = (key: FieldFault['key'], path: PropertyKey[], message?: string) => ({
    fault: {
      key,
      params: { field: fieldName(path), ...(message !== undefined && { reason: fieldReasonIn(message, locale) }) },
    },
  })
  const unstorable = findUnstorable(value)
  if (unstorable) return fault('badParameter', unstorable, storableTextReason)
  const parsed = schema.safeParse(value, { error: (issue) => issueReasonIn(issue, locale) })
  if (parsed.success) return { data: parsed.data }
  const [issue] = parsed.error.issues
  if (!issue) throw parsed.error
  const { path } = issue
  if (issue.code === 'unrecognized_keys') return fault('unknownParameter', [...path, issue.keys[0] ?? ''])
  if (path.length > 0 && valueAt(value, path) === undefined) return fault('missingParameter', path)
  return fault('badParameter', path, issue.message)
}

/** As forms write it: `a[b][0]`. */
function fieldName(path: PropertyKey[]): string {
  const [first, ...rest] = path.map(String)
  return first === undefined ? 'body' : first + rest.map((part) => `[${part}]`).join('')
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined
    current = (current as Record<PropertyKey, unknown>)[key] // any key may be asked of an object
  }
  return current
}

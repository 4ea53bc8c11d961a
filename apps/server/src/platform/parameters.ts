import { fieldReasonIn } from '@atoll/contract/api'
import { issueReasonIn, type Locale } from '@atoll/contract/wire'
import type { z } from 'zod'
import { Refusal } from './refusal.ts'

/**
 * `value` as `schema` reads it. Otherwise refuses with code 501 and a message that names the first field that is
 * missing, unknown or malformed (design/api), in the caller's language.
 */
export function readParameters<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  locale: Locale,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: (issue) => issueReasonIn(issue, locale) })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  if (!issue) throw parsed.error
  if (issue.code === 'unrecognized_keys') {
    throw new Refusal('unknownParameter', { field: fieldName([...issue.path, issue.keys[0] ?? '']) })
  }
  const field = fieldName(issue.path)
  if (issue.path.length > 0 && valueAt(value, issue.path) === undefined)
    throw new Refusal('missingParameter', { field })
  throw new Refusal('badParameter', { field, reason: fieldReasonIn(issue.message, locale) })
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

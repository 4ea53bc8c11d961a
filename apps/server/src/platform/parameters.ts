import type { Locale } from '@atoll/contract/wire'
import { readFields } from '@atoll/texts/read-fields'
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
  const read = readFields(schema, value, locale)
  if ('fault' in read) throw new Refusal(read.fault.key, read.fault.params)
  return read.data
}

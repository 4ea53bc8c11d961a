/**
 * The faults of fields in words. The message of a schema is a key, since it cannot depend on the reader; a check
 * without a message of its own is worded here too, because the validator would name its types and patterns.
 */
import type { Locale } from '@atoll/contract/wire'
import type { z } from 'zod'
import { fillText, formOf } from './fill-text.ts'
import tables from './tables/fields.gen.ts'

type Texts = Readonly<Record<string, string>>
type LimitIssue = Extract<z.core.$ZodRawIssue, { code: 'too_big' | 'too_small' }>

const byLocale: Record<Locale, Readonly<Record<keyof (typeof tables)['en-US'], Texts>>> = tables

/** The text of a schema's `message`; one that is no key stays as it is. */
export function fieldReasonIn(message: string, locale: Locale): string {
  const { reasons } = byLocale[locale]
  return Object.hasOwn(reasons, message) ? (reasons[message] ?? message) : message
}

/** The fault of a field that its schema has no message for. */
export function issueReasonIn(issue: z.core.$ZodRawIssue, locale: Locale): string {
  const { faults, formats, kinds } = byLocale[locale]
  const other = faults['form'] ?? ''
  if (issue.code === 'too_big' || issue.code === 'too_small') return limitReasonIn(issue, locale) ?? other
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? other
  if (issue.code === 'invalid_format') return formats[issue.format] ?? other
  if (issue.code !== 'invalid_value') return other
  const values = issue.values.map(String)
  const text = values.length === 1 ? faults['value'] : faults['values']
  return fillText(text ?? other, { values: values.join(faults['separator']) })
}

/** Undefined: of a value that has no size that we know. */
function limitReasonIn(issue: LimitIssue, locale: Locale): string | undefined {
  const isBig = issue.code === 'too_big'
  const limit = Number(isBig ? issue.maximum : issue.minimum)
  const { numbers, characters, items, faults } = byLocale[locale]
  const size = (texts: Texts) => {
    if (!isBig && !issue.exact && limit === 1) return faults['empty']
    return formOf(texts, issue.exact ? 'exactly' : isBig ? 'atMost' : 'atLeast', limit, locale)
  }
  const text = () => {
    switch (issue.origin) {
      case 'number':
      case 'int':
      case 'bigint':
        return numbers[issue.inclusive ? (isBig ? 'atMost' : 'atLeast') : isBig ? 'below' : 'above']
      case 'string':
        return size(characters)
      case 'array':
      case 'set':
        return size(items)
      default:
        return undefined
    }
  }
  const found = text()
  return found === undefined ? undefined : fillText(found, { limit })
}

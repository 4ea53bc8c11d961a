/**
 * Messages for values that a schema refuses, in both languages and in words of our own: those of the validator name
 * its types and patterns. A check with a sentence of its own (`field-reasons.ts`) keeps that one.
 */
import type { z } from 'zod'
import type { Locale } from './constants.ts'
import { limitReasonIn } from './field-limits.ts'
import { type Words, words } from './words.ts'

const kinds: Record<string, Words> = {
  string: words('must be text', '必须是文本'),
  number: words('must be a number', '必须是数字'),
  int: words('must be a whole number', '必须是整数'),
  boolean: words('must be true or false', '必须为 true 或 false'),
  array: words('must be a list', '必须是列表'),
  object: words('must have fields', '必须包含字段'),
}
const formats: Record<string, Words> = {
  datetime: words('must be a time such as 2026-06-01T12:00:00Z', '必须是时间，如 2026-06-01T12:00:00Z'),
  url: words('must be a web address', '必须是网址'),
}
const notAsExpected = words('does not have the right form', '格式不正确')

/** The fault of a field, for a reader of `locale`. */
export function issueReasonIn(issue: z.core.$ZodRawIssue, locale: Locale): string {
  const limit = limitReasonIn(issue, locale)
  if (limit !== undefined) return limit
  if (issue.code === 'invalid_value') return valuesSentence(issue.values.map(String))[locale]
  if (issue.code === 'invalid_type') return (kinds[issue.expected] ?? notAsExpected)[locale]
  if (issue.code === 'invalid_format') return (formats[issue.format] ?? notAsExpected)[locale]
  return notAsExpected[locale]
}

function valuesSentence(values: string[]): Words {
  if (values.length === 1) return words(`must be ${values[0]}`, `必须为 ${values[0]}`)
  return words(`must be one of: ${values.join(', ')}`, `必须为以下之一：${values.join('、')}`)
}

/**
 * Messages for values that a schema refuses, in both languages and in words of our own: those of the validator name
 * its types and patterns. A check with a sentence of its own (`field-reasons.ts`) keeps that one.
 */
import type { z } from 'zod'
import type { Locale } from './constants.ts'
import { limitReasonIn } from './field-limits.ts'

type Sentence = Record<Locale, string>

const kinds: Record<string, Sentence> = {
  string: { 'en-US': 'must be text', 'zh-CN': '必须是文本' },
  number: { 'en-US': 'must be a number', 'zh-CN': '必须是数字' },
  int: { 'en-US': 'must be a whole number', 'zh-CN': '必须是整数' },
  boolean: { 'en-US': 'must be true or false', 'zh-CN': '必须为 true 或 false' },
  array: { 'en-US': 'must be a list', 'zh-CN': '必须是列表' },
  object: { 'en-US': 'must have fields', 'zh-CN': '必须包含字段' },
}
const formats: Record<string, Sentence> = {
  datetime: { 'en-US': 'must be a time such as 2026-06-01T12:00:00Z', 'zh-CN': '必须是时间，如 2026-06-01T12:00:00Z' },
  url: { 'en-US': 'must be a web address', 'zh-CN': '必须是网址' },
}
const notAsExpected: Sentence = { 'en-US': 'does not have the right form', 'zh-CN': '格式不正确' }

/** What is wrong with a field, for a person who reads `locale`. */
export function issueReasonIn(issue: z.core.$ZodRawIssue, locale: Locale): string {
  const limit = limitReasonIn(issue, locale)
  if (limit !== undefined) return limit
  if (issue.code === 'invalid_value') return valuesSentence(issue.values.map(String))[locale]
  if (issue.code === 'invalid_type') return (kinds[issue.expected] ?? notAsExpected)[locale]
  if (issue.code === 'invalid_format') return (formats[issue.format] ?? notAsExpected)[locale]
  return notAsExpected[locale]
}

function valuesSentence(values: string[]): Sentence {
  if (values.length === 1) return { 'en-US': `must be ${values[0]}`, 'zh-CN': `必须为 ${values[0]}` }
  return { 'en-US': `must be one of: ${values.join(', ')}`, 'zh-CN': `必须为以下之一：${values.join('、')}` }
}

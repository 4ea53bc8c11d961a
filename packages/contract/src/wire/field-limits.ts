/**
 * Messages for values beyond the limit of their field, in both languages. One sentence for a limit of any schema, so
 * that no schema has to bring its own.
 */
import type { z } from 'zod'
import type { Locale } from './constants.ts'

type LimitIssue = Extract<z.core.$ZodRawIssue, { code: 'too_big' | 'too_small' }>
type Sentence = Record<Locale, string>

/**
 * What a schema of zod says of `issue`, in words for a person; undefined when it is not about a limit that we know.
 */
export function limitReasonIn(issue: z.core.$ZodRawIssue, locale: Locale): string | undefined {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return undefined
  return limitSentence(issue)?.[locale]
}

function limitSentence(issue: LimitIssue): Sentence | undefined {
  const big = issue.code === 'too_big'
  const limit = Number(big ? issue.maximum : issue.minimum)
  switch (issue.origin) {
    case 'number':
    case 'int':
    case 'bigint':
      return numberSentence(big, limit, issue.inclusive ?? false)
    case 'string':
      return sizeSentence(issue, big, limit, { 'en-US': 'character', 'zh-CN': '个字符' })
    case 'array':
    case 'set':
      return sizeSentence(issue, big, limit, { 'en-US': 'item', 'zh-CN': '项' })
    default:
      return undefined
  }
}

function numberSentence(big: boolean, limit: number, inclusive: boolean): Sentence {
  if (!inclusive) {
    return big
      ? { 'en-US': `must be less than ${limit}`, 'zh-CN': `必须小于 ${limit}` }
      : { 'en-US': `must be more than ${limit}`, 'zh-CN': `必须大于 ${limit}` }
  }
  return big
    ? { 'en-US': `must be ${limit} or less`, 'zh-CN': `不能大于 ${limit}` }
    : { 'en-US': `must be ${limit} or more`, 'zh-CN': `不能小于 ${limit}` }
}

function sizeSentence({ exact }: LimitIssue, big: boolean, limit: number, unit: Sentence): Sentence {
  const many = `${limit} ${unit['en-US']}${limit === 1 ? '' : 's'}`
  const measure = `${limit} ${unit['zh-CN']}`
  if (exact) return { 'en-US': `must have exactly ${many}`, 'zh-CN': `必须恰好为 ${measure}` }
  if (big) return { 'en-US': `must have at most ${many}`, 'zh-CN': `不能超过 ${measure}` }
  if (limit === 1) return { 'en-US': 'must not be empty', 'zh-CN': '不能为空' }
  return { 'en-US': `must have at least ${many}`, 'zh-CN': `不能少于 ${measure}` }
}

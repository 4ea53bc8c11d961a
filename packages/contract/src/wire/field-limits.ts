/**
 * Messages for values beyond the limit of their field, in both languages. One sentence for a limit of any schema, so
 * that no schema has to bring its own.
 */
import type { z } from 'zod'
import type { Locale } from './constants.ts'
import { type Words, words } from './words.ts'

type LimitIssue = Extract<z.core.$ZodRawIssue, { code: 'too_big' | 'too_small' }>

/** The text of a zod limit in `issue` for a person; undefined if it is not about a limit that we know. */
export function limitReasonIn(issue: z.core.$ZodRawIssue, locale: Locale): string | undefined {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return undefined
  return limitSentence(issue)?.[locale]
}

function limitSentence(issue: LimitIssue): Words | undefined {
  const big = issue.code === 'too_big'
  const limit = Number(big ? issue.maximum : issue.minimum)
  switch (issue.origin) {
    case 'number':
    case 'int':
    case 'bigint':
      return numberSentence(big, limit, issue.inclusive ?? false)
    case 'string':
      return sizeSentence(issue, big, limit, words('character', '个字符'))
    case 'array':
    case 'set':
      return sizeSentence(issue, big, limit, words('item', '项'))
    default:
      return undefined
  }
}

function numberSentence(big: boolean, limit: number, inclusive: boolean): Words {
  if (!inclusive) {
    return big
      ? words(`must be less than ${limit}`, `必须小于 ${limit}`)
      : words(`must be more than ${limit}`, `必须大于 ${limit}`)
  }
  return big
    ? words(`must be ${limit} or less`, `不能大于 ${limit}`)
    : words(`must be ${limit} or more`, `不能小于 ${limit}`)
}

function sizeSentence({ exact }: LimitIssue, big: boolean, limit: number, unit: Words): Words {
  const many = `${limit} ${unit['en-US']}${limit === 1 ? '' : 's'}`
  const measure = `${limit} ${unit['zh-CN']}`
  if (exact) return words(`must have exactly ${many}`, `必须恰好为 ${measure}`)
  if (big) return words(`must have at most ${many}`, `不能超过 ${measure}`)
  if (limit === 1) return words('must not be empty', '不能为空')
  return words(`must have at least ${many}`, `不能少于 ${measure}`)
}

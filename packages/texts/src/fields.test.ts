import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldReasonIn, issueReasonIn } from './fields.ts'

test('a field’s reason is found by its key, and another message stays as it is', () => {
  expect(fieldReasonIn('hostAndPort', 'zh-CN')).toBe('必须写作“主机”或“主机:端口”')
  expect(fieldReasonIn('jws', 'en-US')).toBe('must be a compact JWS')
  expect(fieldReasonIn('toString', 'en-US')).toBe('toString')
})

test.each([
  [z.string().max(1), 'ab', 'must have at most 1 character', '不能超过 1 个字符'],
  [z.string().length(2), 'abc', 'must have exactly 2 characters', '必须恰好为 2 个字符'],
  [z.string().min(1), '', 'must not be empty', '不能为空'],
  [z.array(z.string()).min(3), [], 'must have at least 3 items', '不能少于 3 项'],
  [z.number().max(5), 6, 'must be 5 or less', '不能大于 5'],
  [z.number().gt(5), 5, 'must be more than 5', '必须大于 5'],
  [z.enum(['a', 'b']), 'c', 'must be one of: a, b', '必须为以下之一：a、b'],
  [z.literal('a'), 'c', 'must be a', '必须为 a'],
  [z.boolean(), 'c', 'must be true or false', '必须为 true 或 false'],
  [z.url(), 'c', 'must be a web address', '必须是网址'],
  [z.string().regex(/b/), 'c', 'does not have the right form', '格式不正确'],
])('a fault without a message is worded: %#', (schema, value, english, chinese) => {
  const said = (locale: 'en-US' | 'zh-CN') =>
    schema.safeParse(value, { error: (issue) => issueReasonIn(issue, locale) }).error?.issues[0]?.message
  expect([said('en-US'), said('zh-CN')]).toEqual([english, chinese])
})

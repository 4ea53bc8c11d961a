/** Why an operation of any kind did not work out; `{said}` is what somebody else said, in their own words. */
import { type Words, words } from './words.ts'

export type Reasons = Record<string, Words>

export const wireReasons = {
  late: words('It took too long.', '耗时过长。'),
  said: words('{said}', '{said}'),
  unexpected: words(
    "An unexpected error happened. The server's log has the details.",
    '发生意外错误，详情见服务器日志。',
  ),
  superseded: words('Superseded by: {kind}.', '已被后来的操作取代：{kind}。'),
  canceled: words('It was canceled on request.', '已按要求取消。'),
} as const satisfies Reasons

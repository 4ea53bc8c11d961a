/** Why an operation of any kind did not work out; `{said}` is what somebody else said, in their own words. */
import type { Locale } from './constants.ts'

export type Reasons = Record<string, Record<Locale, string>>

export const wireReasons = {
  late: { 'en-US': 'It took too long.', 'zh-CN': '耗时过长。' },
  said: { 'en-US': '{said}', 'zh-CN': '{said}' },
  unexpected: {
    'en-US': "An unexpected error happened. The server's log has the details.",
    'zh-CN': '发生意外错误，详情见服务器日志。',
  },
  superseded: { 'en-US': 'Superseded by: {kind}.', 'zh-CN': '已被后来的操作取代：{kind}。' },
  canceled: { 'en-US': 'It was canceled on request.', 'zh-CN': '已按要求取消。' },
} as const satisfies Reasons

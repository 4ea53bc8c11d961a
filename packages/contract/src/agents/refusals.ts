/** What an agent that enrolls may be refused for. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const agentsRefusals = {
  enrollRefused: {
    code: codes.forbidden,
    'en-US': 'This enrollment token is unknown, expired or already used by another machine.',
    'zh-CN': '这个注册令牌未知、已过期，或已被另一台机器使用。',
  },
} as const satisfies Refusals

/** Refusals of calls by agents. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const agentsRefusals = {
  enrollRefused: {
    code: codes.forbidden,
    'en-US': 'This enrollment token is unknown, expired or already used by another machine.',
    'zh-CN': '这个注册令牌未知、已过期，或已被另一台机器使用。',
  },
  agentUnproven: {
    code: codes.forbidden,
    'en-US': 'This is not the agent of a cluster’s master.',
    'zh-CN': '请求方不是集群主节点的代理程序。',
  },
} as const satisfies Refusals

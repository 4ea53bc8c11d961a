/** What this module's own checks of fields say, by the key that its schemas carry as their message. */
import type { FieldReasons } from '../wire/field-reasons.ts'

export const clustersFieldReasons = {
  clusterType: { 'en-US': 'must be Cloud or SelfHost', 'zh-CN': '必须为 Cloud 或 SelfHost' },
  hostAndPort: { 'en-US': 'must be HOST or HOST:PORT', 'zh-CN': '必须写作“主机”或“主机:端口”' },
  hostName: { 'en-US': 'must be a host name', 'zh-CN': '必须是主机名' },
  tunnelToken: {
    'en-US': 'must be a tunnel token, as "cloudflared tunnel token" prints it',
    'zh-CN': '必须是隧道令牌，即 “cloudflared tunnel token” 的输出',
  },
  cloudflareMissing: {
    'en-US': 'is needed with reverseProxy cloudflare',
    'zh-CN': 'reverseProxy 为 cloudflare 时必须填写',
  },
  cloudflareOnly: {
    'en-US': 'goes with reverseProxy cloudflare only',
    'zh-CN': '仅在 reverseProxy 为 cloudflare 时可用',
  },
  directOnly: { 'en-US': 'goes with reverseProxy none only', 'zh-CN': '仅在 reverseProxy 为 none 时可用' },
} as const satisfies FieldReasons

export type ClustersFieldReason = keyof typeof clustersFieldReasons

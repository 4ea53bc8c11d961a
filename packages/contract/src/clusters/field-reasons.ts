/** Texts of this module's own field checks, by the key that a schema carries as its message. */
import type { FieldReasons } from '../wire/field-reasons.ts'
import { words } from '../wire/words.ts'

export const clustersFieldReasons = {
  clusterType: words('must be Cloud or SelfHost', '必须为 Cloud 或 SelfHost'),
  hostAndPort: words('must be HOST or HOST:PORT', '必须写作“主机”或“主机:端口”'),
  hostName: words('must be a host name', '必须是主机名'),
  tunnelToken: words(
    'must be a tunnel token, as "cloudflared tunnel token" prints it',
    '必须是隧道令牌，即 “cloudflared tunnel token” 的输出',
  ),
  cloudflareMissing: words('is needed with reverseProxy cloudflare', 'reverseProxy 为 cloudflare 时必须填写'),
  cloudflareOnly: words('goes with reverseProxy cloudflare only', '仅在 reverseProxy 为 cloudflare 时可用'),
  directOnly: words('goes with reverseProxy none only', '仅在 reverseProxy 为 none 时可用'),
} as const satisfies FieldReasons

export type ClustersFieldReason = keyof typeof clustersFieldReasons

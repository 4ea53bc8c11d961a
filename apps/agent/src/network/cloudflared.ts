/** Files of a Cloudflare tunnel on this machine: credentials and ingress, made of the owner's tunnel token. */
import { join } from 'node:path'
import type { ProxyConfig } from '@atoll/contract/agents'
import { z } from 'zod'
import { writeFileAtomic } from '../kernel/atomic-file.ts'
import type { TunnelProgram } from './tunnel-program.ts'

type CloudflareProxy = Extract<ProxyConfig, { kind: 'cloudflare' }>

/** Account, tunnel and secret, as the token packs them. */
const Token = z.object({ a: z.string(), t: z.uuid(), s: z.string() })

/** Writes `cloudflared.json` (credentials) and `cloudflared.yml` (ingress), readable by this user only. */
export async function prepareCloudflared(
  { tunnelToken, hostname }: CloudflareProxy,
  { folder, port }: { folder: string; port: number },
): Promise<TunnelProgram> {
  const { a, t, s } = Token.parse(JSON.parse(Buffer.from(tunnelToken, 'base64').toString('utf8')))
  const credentials = join(folder, 'cloudflared.json')
  const config = join(folder, 'cloudflared.yml')
  await writeFileAtomic(credentials, JSON.stringify({ AccountTag: a, TunnelID: t, TunnelSecret: s }))
  await writeFileAtomic(config, renderCloudflaredConfig({ tunnelId: t, credentials, hostname, port }))
  return {
    name: 'cloudflared',
    arguments: ['tunnel', '--no-autoupdate', '--config', config, 'run'],
    connectedLine: /registered tunnel connection/i,
    refusedLine: /unauthorized|failed to (get|parse)|error.*(credential|token)/i,
  }
}

/** A tunnel that is managed in Cloudflare's dashboard takes its ingress from there and leaves this one alone. */
function renderCloudflaredConfig({
  tunnelId,
  credentials,
  hostname,
  port,
}: {
  tunnelId: string
  credentials: string
  hostname: string
  port: number
}): string {
  return [
    `tunnel: ${tunnelId}`,
    `credentials-file: ${JSON.stringify(credentials)}`,
    'ingress:',
    `  - hostname: ${JSON.stringify(hostname)}`,
    `    service: http://127.0.0.1:${port}`,
    '  - service: http_status:404',
    '',
  ].join('\n')
}

import { z } from 'zod'

/** Content of a Cloudflare tunnel token: account, tunnel and secret (cloudflared, connection.TunnelToken). */
const TunnelToken = z.object({ a: z.string().min(1), t: z.uuid(), s: z.base64().min(1) })

/** Whether `text` is a tunnel token, as `cloudflared tunnel token` and the dashboard print it: base64 of JSON. */
export function isTunnelToken(text: string): boolean {
  try {
    return TunnelToken.safeParse(JSON.parse(Buffer.from(text, 'base64').toString('utf8'))).success
  } catch {
    return false // not JSON
  }
}

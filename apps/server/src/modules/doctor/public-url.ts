import { isLoopback } from '../../platform/network-of.ts'

/** Whether an address is one that strangers may reach: not this machine's own (RFC 6761). */
export function isPublicUrl(url: string): boolean {
  const { hostname } = new URL(url)
  return !isLoopback(hostname) && !hostname.endsWith('.localhost')
}

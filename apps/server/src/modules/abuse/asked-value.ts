import { isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { sha256Hex } from '../../platform/crypto.ts'

/**
 * The values under which a reported address or host may be noted: the address, or the host and those above it, up to
 * two labels, as a cluster answers below its own name too. A web address is read for its host.
 */
export function valuesOf(what: string): string[] {
  const typed = what.trim().toLowerCase()
  const bare = typed.replace(/^[a-z][a-z0-9+.-]*:\/\//, '').replace(/^[^/?#]*@/, '')
  const first = bare.split(/[/?#]/, 1)[0] ?? ''
  const unbracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(first)?.[1] ?? first
  if (isIP(unbracketed)) return [oneSpelling(unbracketed)]
  const host = domainToASCII(unbracketed.replace(/:\d+$/, '').replace(/\.$/, ''))
  if (isIP(host)) return [host]
  const labels = host.split('.')
  if (host === '' || labels.length < 2) return host === '' ? [] : [host]
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}

/** The same, and as they are kept once the account of a cluster was erased. */
export function withErased(values: readonly string[]): string[] {
  return [...values, ...values.map((value) => `sha256:${sha256Hex(value)}`)]
}

/** An address as it is noted and looked for: IPv6 has many spellings. */
export function oneSpelling(address: string): string {
  if (!isIPv6(address) || address.includes('%')) return address
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

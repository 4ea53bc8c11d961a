/** How a domain stands in the address of its screen: base64url of the name (spec §2, `domain/{base}`). */
import { base64urlnopad } from '@scure/base'

/** The name, A-labels; undefined for what is none. */
export function domainOfBase(base: string): string | undefined {
  try {
    const name = new TextDecoder('utf-8', { fatal: true }).decode(base64urlnopad.decode(base.replace(/=+$/, '')))
    return /^[a-z0-9.-]{3,190}$/.test(name) ? name : undefined
  } catch {
    return undefined
  }
}

/** The domain that a scanned text names: a link to the screen of a domain, at any wallet of this kind. */
export function domainBaseOfLink(text: string): string | undefined {
  const base = /^https?:\/\/[^/?#]+\/domain\/([\w-]{4,260}=*)\/?$/.exec(text.trim())?.[1]
  return base !== undefined && domainOfBase(base) !== undefined ? base : undefined
}

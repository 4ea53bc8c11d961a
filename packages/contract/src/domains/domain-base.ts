/** How the pages of a domain name it: `/domain/{base}`, its A-labels as base64url (spec §2). */

export function toDomainBase(domain: string): string {
  return btoa(domain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Undefined for what no domain is written as. */
export function fromDomainBase(base: string): string | undefined {
  if (!/^[\w-]{1,400}$/.test(base)) return undefined
  try {
    const domain = atob(base.replaceAll('-', '+').replaceAll('_', '/'))
    return toDomainBase(domain) === base && /^[a-z0-9.-]+$/.test(domain) ? domain : undefined
  } catch {
    // No base64.
    return undefined
  }
}

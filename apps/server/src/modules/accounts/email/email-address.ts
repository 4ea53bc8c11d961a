import { domainToASCII } from 'node:url'

/** RFC 5321 §4.5.3.1, characters. */
const longest = { local: 64, domain: 253 }
/** A dot-atom (RFC 5322 §3.2.3): no quotes, no spaces, no control characters, so nothing that could end a header. */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * An address as it is stored and mailed to: spaces around it removed, its domain in lower case and, where it has other
 * letters than ASCII, in Punycode, so that what is shown is what is meant. Undefined when we could not mail to it: no
 * single @, a local part beyond ASCII or in quotes, a domain without a dot, an IP address.
 */
export function normaliseEmail(typed: string): string | undefined {
  const [local = '', host = '', ...more] = typed.trim().split('@')
  if (more.length > 0 || local.length > longest.local || !localPart.test(local)) return undefined
  // An invalid domain becomes an empty text; so do control characters and spaces.
  const domain = domainToASCII(host.toLowerCase())
  const labels = domain.split('.')
  if (domain.length > longest.domain || labels.length < 2 || !labels.every((part) => label.test(part))) return undefined
  // No top level is a number: that would be an IP address.
  return /^\d+$/.test(labels.at(-1) ?? '') ? undefined : `${local}@${domain}`
}

/** Hosts that leave dots out of the part before the @, under the name that both have. */
const dotless = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
])

/**
 * A key that all spellings and aliases of one mailbox share, for counting: hardly any server tells capital letters
 * apart, and most deliver `moa+anything@` to `moa@`. Never mailed to.
 */
export function mailboxKey(email: string): string {
  const [local = '', host = ''] = email.toLowerCase().split('@')
  const name = local.replace(/(?<=.)\+.*$/, '')
  const google = dotless.get(host)
  return google === undefined ? `${name}@${host}` : `${name.replaceAll('.', '')}@${google}`
}

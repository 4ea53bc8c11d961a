/**
 * Which names can be custom domains (design/domains, "Whose domain"). Either form of an international name is taken;
 * the result is its lower-case A-label form, in which it is stored, compared and sent.
 */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import type { ErrorKey } from '@atoll/contract/api'
import { longestDomain } from '@atoll/contract/domains'
import { parse } from 'tldts'

export interface DomainName {
  /** Lower-case A-labels, at most 190 characters. */
  domain: string
  /** Directly below a public suffix, where mail and web of the whole organization live. */
  isApex: boolean
}
export interface NameFault {
  fault: Extract<ErrorKey, `domain${string}`>
  params: Record<string, string | number>
}

/** Names that never leave a machine or a network, or belong to the protocol (RFC 6761, 6762, 7686, 9476). */
const reservedSuffixes = new Set(['local', 'localhost', 'onion', 'arpa', 'internal', 'invalid'])
const longestLabel = 63
/** RFC 5890 §2.3.1 without the underscore; a hyphen stands in between. */
const ldhLabel = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/
/** Letters, marks and digits of IDNA 2008 (RFC 5892), and the middle dots that it lets through; no symbols. */
const unicodeLabel = /^[\p{L}\p{M}\p{Nd}\-·・]+$/u

/** `text` as a domain name, or what is wrong with it. `own`: domains of this service, with all below and above them. */
export function parseDomainName(text: string, own: readonly string[]): DomainName | NameFault {
  const typed = text.trim().normalize('NFC').replace(/\.$/, '')
  if (typed === '') return { fault: 'domainMissing', params: {} }
  if (/[/:@?#\\]/.test(typed)) return { fault: 'domainIsAddress', params: {} }
  const fault = typedFault(typed)
  if (fault) return fault
  const domain = domainToASCII(typed).toLowerCase()
  if (domain === '') return { fault: 'domainLetters', params: { label: cut(typed) } }
  return asciiFault(domain) ?? ownFault(domain, own) ?? suffixFault(domain)
}

/** Of the text itself: what `domainToASCII` would mend, drop or take for an address. */
function typedFault(typed: string): NameFault | undefined {
  // Dots of other scripts (UTS #46).
  const labels = typed.split(/[.\u3002\uff0e\uff61]/)
  // The parser of URLs reads `1.2.3` and `0x7f.1` as addresses, and refuses `lagoon.12` as a broken one.
  if (/^(\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? ''))
    return { fault: 'domainIsNumber', params: { domain: cut(typed) } }
  for (const label of labels) {
    if (/[^a-z0-9-]/i.test(label) && !unicodeLabel.test(label))
      return { fault: 'domainLetters', params: { label: cut(label) } }
  }
  return undefined
}

function asciiFault(domain: string): NameFault | undefined {
  const labels = domain.split('.')
  // Digits of other scripts become plain ones.
  if (isIP(domain) !== 0) return { fault: 'domainIsNumber', params: { domain } }
  for (const label of labels) {
    if (label.length > longestLabel) return { fault: 'domainLabelLong', params: { label: cut(label) } }
    if (!ldhLabel.test(label) || !isSound(label)) return { fault: 'domainLetters', params: { label: cut(label) } }
  }
  if (domain.length > longestDomain)
    return { fault: 'domainLong', params: { length: domain.length, most: longestDomain } }
  if (labels.length < 2) return { fault: 'domainSingleLabel', params: { domain } }
  const suffix = labels.at(-1) ?? ''
  return reservedSuffixes.has(suffix) ? { fault: 'domainReserved', params: { suffix } } : undefined
}

/** An A-label comes back the same from its U-label; other labels have no hyphens in third and fourth place. */
function isSound(label: string): boolean {
  if (!label.startsWith('xn--')) return label.slice(2, 4) !== '--'
  const unicode = domainToUnicode(label)
  return unicode !== label && unicodeLabel.test(unicode) && domainToASCII(unicode) === label
}

function ownFault(domain: string, own: readonly string[]): NameFault | undefined {
  const ours = own.some((one) => one === domain || isBelow(domain, one) || isBelow(one, domain))
  return ours ? { fault: 'domainOurs', params: { domain } } : undefined
}

function suffixFault(domain: string): DomainName | NameFault {
  const { publicSuffix, domain: registrable } = parse(domain, { allowPrivateDomains: true })
  if (publicSuffix === domain) return { fault: 'domainPublicSuffix', params: { domain } }
  return { domain, isApex: registrable === domain }
}

/** Whether `name` is somewhere below `parent`. */
export function isBelow(name: string, parent: string): boolean {
  return name.endsWith(`.${parent}`)
}

/** Every name that contains `domain`, nearest first. */
export function parentsOf(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join('.'))
}

/** The public suffix with one label before it: all claims that can contain each other share it. */
export function registrableOf(domain: string): string {
  return parse(domain, { allowPrivateDomains: true }).domain ?? domain
}

export function isNameFault(result: DomainName | NameFault): result is NameFault {
  return 'fault' in result
}

/** A name in a sentence: what somebody typed may be long. */
function cut(text: string): string {
  return text.length > 70 ? `${text.slice(0, 67)}...` : text
}

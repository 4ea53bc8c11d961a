/** Email domains whose owners may join (spec §5: several, separated by commas). */
import type { ErrorKey } from '@atoll/contract/api'
import { mostSuffixes } from '@atoll/contract/domains'
import { isNameFault, parseDomainName } from './domain-name.ts'
import { isMailProvider } from './mail-providers.ts'

export interface SuffixFault {
  fault: Extract<ErrorKey, `suffix${string}`>
  params: Record<string, string | number>
}

/**
 * The suffixes in `text`, each once, as A-labels in the order in which they were typed; or what is wrong. Blanks,
 * line breaks, empty parts and an '@' in front are forgiven.
 */
export function parseSuffixes(text: string): { suffixes: string[] } | SuffixFault {
  const typed = text
    .split(/[,，;\s]+/)
    .map((part) => part.replace(/^@/, ''))
    .filter(Boolean)
  const suffixes = new Set<string>()
  for (const suffix of typed) {
    const name = parseDomainName(suffix, [])
    if (!isNameFault(name) && !isMailProvider(name.domain)) {
      suffixes.add(name.domain)
      continue
    }
    const isPublic = !isNameFault(name) || name.fault === 'domainPublicSuffix' || name.fault === 'domainSingleLabel'
    return { fault: isPublic ? 'suffixPublic' : 'suffixMalformed', params: { suffix: suffix.slice(0, 70) } }
  }
  if (suffixes.size === 0) return { fault: 'suffixMissing', params: {} }
  if (suffixes.size > mostSuffixes)
    return { fault: 'suffixTooMany', params: { count: suffixes.size, most: mostSuffixes } }
  return { suffixes: [...suffixes] }
}

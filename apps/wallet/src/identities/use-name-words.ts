import { findNameFault } from '../api/name-check.ts'
import { useText } from '../i18n/text.ts'
import { useNameAvailability } from './use-name-availability.ts'

interface Wanted {
  /** In front of the @, as it is typed. */
  local: string
  domain: string
  /** The service's answer to the last try. */
  refusal?: string | undefined
}

/** Verdicts on a wanted ID while it is typed: whether it is well formed, and free. */
export function useNameWords({ local, domain, refusal }: Wanted) {
  const t = useText()
  const fault = findNameFault(local)
  const name = local && !fault ? `${local}@${domain}` : undefined
  const availability = useNameAvailability(name)
  const taken = availability === 'taken' && name ? t('bind.taken', { name }) : undefined
  // The service's answer counts more than our guess: a reserved name looks free.
  const error = fault ? t(`bind.${fault}`) : (refusal ?? taken)
  const free = availability === 'none' ? t('bind.help') : t(`bind.${availability}`, { name: name ?? '' })
  return { name, error, words: error ?? free, tone: error === undefined ? availability : 'bad' }
}

import { useEffect, useState } from 'react'
import { isNameTaken } from '../api/identity-service.ts'
import { findNameFault } from '../api/name-check.ts'
import { useText } from '../i18n/text.ts'

type Availability = 'none' | 'checking' | 'free' | 'taken' | 'unchecked'

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

/**
 * Asks whether `name` is taken once typing rests for 300 ms; undefined asks nothing. A late answer for another name is
 * dropped.
 */
function useNameAvailability(name: string | undefined): Availability {
  const [answer, setAnswer] = useState<{ name: string; state: Availability }>()
  useEffect(() => {
    if (!name) return
    let current = true
    const timer = setTimeout(async () => {
      const taken = await isNameTaken(name)
      if (current) setAnswer({ name, state: taken === undefined ? 'unchecked' : taken ? 'taken' : 'free' })
    }, 300)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [name])
  if (!name) return 'none'
  return answer?.name === name ? answer.state : 'checking'
}

import { useEffect, useState } from 'react'
import { isNameTaken } from '../api/identity-service.ts'

export type Availability = 'none' | 'checking' | 'free' | 'taken' | 'unchecked'

/**
 * Asks whether `name` is taken once typing rests for 300 ms; undefined asks nothing. A late answer for another name is
 * dropped.
 */
export function useNameAvailability(name: string | undefined): Availability {
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

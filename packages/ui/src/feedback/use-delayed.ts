import { useEffect, useState } from 'react'

/** True once `active` has lasted `delayMs`: a skeleton that would show for a blink is not shown at all. */
export function useDelayed(active: boolean, delayMs = 200): boolean {
  const [due, setDue] = useState(false)
  useEffect(() => {
    if (!active) return setDue(false)
    const timer = setTimeout(() => setDue(true), delayMs)
    return () => clearTimeout(timer)
  }, [active, delayMs])
  return due
}

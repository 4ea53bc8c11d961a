import { useEffect, useReducer } from 'react'

/** Whole seconds from now to `until`, ms by this device's clock, counting down to 0. */
export function useSecondsUntil(until: number): number {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(() => {
      redraw()
      if (Date.now() >= until) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

import { useEffect, useState } from 'react'

/** Whole seconds from now to `until` (ms by `now`), counting down to 0 once a second. */
export function useSecondsUntil(until: number, now: () => number = Date.now): number {
  const [left, setLeft] = useState(() => secondsLeft(until, now()))
  useEffect(() => {
    setLeft(secondsLeft(until, now()))
    if (until <= now()) return
    const timer = setInterval(() => {
      const seconds = secondsLeft(until, now())
      setLeft(seconds)
      if (seconds === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until, now])
  return left
}

function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000))
}

import { useEffect, useState } from 'react'
import { serverNow } from '../api/runtime-config.ts'

/** Now by the server's clock, ms, every `everyMs`. */
export function useServerTime(everyMs = 1000): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

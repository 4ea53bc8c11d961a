import { useEffect, useState } from 'react'
import { serverNow } from '../api/runtime-config.ts'

/** Now by the server's clock, ms, once a second. */
export function useServerTime(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

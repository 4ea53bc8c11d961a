import { whenIdle } from '@atoll/ui'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'

/** How long the first page may keep the browser busy before the rest is asked for all the same, ms; Safari's wait. */
const patienceMs = 300

const FirstIdle = createContext(true)

/**
 * Whether the browser has been idle since the account's pages were first drawn. Parts that the first page can do
 * without in its first moment ask then: on a slow processor each request holds it up by a frame.
 */
export function useFirstIdle(): boolean {
  return use(FirstIdle)
}

/** Around an account's pages; what stands in no provider waits for nothing. */
export function FirstIdleProvider({ children }: { children: ReactNode }) {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true), patienceMs), [])
  return <FirstIdle value={isIdle}>{children}</FirstIdle>
}

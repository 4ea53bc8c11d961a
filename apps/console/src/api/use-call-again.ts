import type { Call, CallData } from '@atoll/contract'
import { useState } from 'react'
import { callAgain, type Keyed } from './call-again.ts'

export interface CallAgain {
  send: <C extends Call>(call: C, body: Keyed<C>) => Promise<CallData<C>>
  /** Why it takes so long; null when it does not, or nothing is under way. */
  trouble: Error | null
  /** The person has read it. */
  forget: () => void
}

/** `callAgain` for a component, which says meanwhile what the trouble is. */
export function useCallAgain(): CallAgain {
  const [trouble, setTrouble] = useState<Error | null>(null)
  const forget = () => setTrouble(null)
  return { send: (call, body) => callAgain(call, body, setTrouble).finally(forget), trouble, forget }
}

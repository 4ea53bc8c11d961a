import type { Call, CallData } from '@atoll/contract'
import { useState } from 'react'
import type { Keyed } from './call-again.ts'
import { createKeyedRequests } from './keyed-requests.ts'

export interface CallAgain {
  send: <C extends Call>(call: C, body: Omit<Keyed<C>, 'requestId'>) => Promise<CallData<C>>
  /** Why it takes so long; null when it does not, or nothing is under way. */
  trouble: Error | null
  /** The person has read it. */
  forget: () => void
}

/** Requests of a component, which says meanwhile what the trouble is. */
export function useCallAgain(): CallAgain {
  const [request] = useState(createKeyedRequests)
  const [trouble, setTrouble] = useState<Error | null>(null)
  const forget = () => setTrouble(null)
  return { send: (call, body) => request(call, body, setTrouble).finally(forget), trouble, forget }
}

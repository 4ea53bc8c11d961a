import type { Call, CallData } from '@atoll/contract/wire'
import { useEffect, useRef, useState } from 'react'
import { showFailure } from '../kit/toast/show-notice.ts'
import type { Keyed } from './call-again.ts'
import { createKeyedRequests, type SendKeyed } from './keyed-requests.ts'

export type Send = <C extends Call>(call: C, body: Omit<Keyed<C>, 'requestId'>) => Promise<CallData<C>>

export interface CallAgain {
  send: Send
  /** Why it takes so long; null when it does not, or nothing is under way. */
  trouble: Error | null
  /** The person wants it no more: it is not tried again. What was sent before may have been done. */
  giveUp: () => void
}

/** Which requests are the same when they are asked for again. */
export interface SameRequests {
  /**
   * Requests that outlive the component: what was not answered is still the same when it is asked for on another page.
   */
  requests?: SendKeyed
  /**
   * What the object is in. When that has changed, what was not answered was done or is past: asked for again, it is
   * another.
   */
  state?: string
}

const left = 'left'

/**
 * Requests of a component, which says meanwhile what the trouble is. Who leaves its page no longer waits, and is told
 * that it failed where there is nothing else to say it.
 */
export function useCallAgain({ requests, state }: SameRequests = {}): CallAgain {
  const [own, setOwn] = useState(() => ({ state, request: createKeyedRequests() }))
  if (own.state !== state) setOwn({ state, request: createKeyedRequests() })
  const request = requests ?? own.request
  const [trouble, setTrouble] = useState<Error | null>(null)
  const patience = useRef<AbortController>(undefined)
  useEffect(() => () => patience.current?.abort(left), [])

  async function send<C extends Call>(call: C, body: Omit<Keyed<C>, 'requestId'>): Promise<CallData<C>> {
    patience.current = new AbortController()
    const { signal } = patience.current
    try {
      return await request(call, body, { onTrouble: setTrouble, signal })
    } catch (error) {
      if (signal.reason === left && error instanceof Error) showFailure(error)
      throw error
    } finally {
      setTrouble(null)
    }
  }
  return { send, trouble, giveUp: () => patience.current?.abort() }
}

import type { ActivationBegun } from '@atoll/contract/personal-server'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiProblem } from '../api/call.ts'
import { serverNow } from '../api/clock.ts'
import { awaitApproval } from '../api/server.ts'

/** How long 'Scan successful' stays before the next step, ms. */
const successMs = 900
/** Pause before asking again after the server did not answer, ms. */
const retryMs = 2000

export interface ApprovalProgress {
  state: 'waiting' | 'approved' | 'expired'
  /** Whole seconds that the code is still good. */
  seconds: number
}

/** Waits for the wallet's signature on one code; `onApproved` is called once, after success was seen. */
export function useApproval({ ticket, expiresAt }: ActivationBegun, onApproved: () => void): ApprovalProgress {
  const [state, setState] = useState<ApprovalProgress['state']>('waiting')
  const [seconds, setSeconds] = useState(() => secondsUntil(expiresAt))
  const succeed = useEffectEvent(onApproved)

  useEffect(() => {
    if (state !== 'waiting') return
    const timer = setInterval(() => {
      setSeconds(secondsUntil(expiresAt))
      if (secondsUntil(expiresAt) === 0) setState('expired')
    }, 250)
    return () => clearInterval(timer)
  }, [state, expiresAt])

  useEffect(() => {
    if (state !== 'waiting') return
    const stop = new AbortController()
    const wait = async () => {
      while (!stop.signal.aborted) {
        try {
          const { approved } = await awaitApproval(ticket, stop.signal)
          if (approved) return setState('approved')
        } catch (error) {
          if (stop.signal.aborted) return
          if (error instanceof ApiProblem && error.code === 'ticketUnknown') return setState('expired')
          // The network or the server is away for a moment; the countdown ends this if it stays away.
          await new Promise((resolve) => setTimeout(resolve, retryMs))
        }
      }
    }
    void wait()
    return () => stop.abort()
  }, [state, ticket])

  useEffect(() => {
    if (state !== 'approved') return
    const timer = setTimeout(() => succeed(), successMs)
    return () => clearTimeout(timer)
  }, [state])

  return { state, seconds }
}

function secondsUntil(expiresAt: number): number {
  return Math.max(0, Math.ceil((expiresAt - serverNow()) / 1000))
}

import { backoffMs } from '@atoll/contract/wire'
import { useEffect, useState } from 'react'
import { registerDid } from '../api/identity-service.ts'
import { identityHostName } from '../api/runtime-config.ts'
import { recordSignature } from '../history/signature-log.ts'
import { keychain } from '../keys/use-keychain.ts'
import { useErrorScreen } from '../kit/screens/use-error-screen.ts'

export type Registration =
  | { kind: 'working' }
  /** Nobody answered; tried again at `nextAt`, ms. */
  | { kind: 'down'; nextAt: number }
  | { kind: 'refused'; message: string }
  | { kind: 'done' }

const backoff = { firstMs: 6000, longestMs: 30_000 }

/** Registers `did`, again and again while the identity service is down. */
export function useRegistration(did: string): { registration: Registration; tryNow(): void } {
  const [registration, setRegistration] = useState<Registration>({ kind: 'working' })
  const [round, setRound] = useState(0)
  const showError = useErrorScreen()
  useEffect(() => {
    let current = true
    setRegistration({ kind: 'working' })
    async function register() {
      const outcome = await registerDid(keychain, did)
      // The service has the DID either way; a page that left only does not say so.
      if (outcome.kind === 'ok') recordRegistration(did)
      if (current) setRegistration(outcome.kind === 'ok' ? { kind: 'done' } : next(outcome, round))
    }
    register().catch((error: unknown) => {
      if (current) showError(error)
    })
    return () => {
      current = false
    }
  }, [did, round, showError])
  useEffect(() => {
    if (registration.kind !== 'down') return
    const timer = setTimeout(() => setRound((before) => before + 1), registration.nextAt - Date.now())
    return () => clearTimeout(timer)
  }, [registration])
  return { registration, tryNow: () => setRound((before) => before + 1) }
}

function next(outcome: { kind: 'refused'; message: string } | { kind: 'unreachable' }, round: number): Registration {
  if (outcome.kind === 'refused') return outcome
  return { kind: 'down', nextAt: Date.now() + backoffMs(round + 1, backoff) }
}

function recordRegistration(did: string): void {
  recordSignature(localStorage, { at: Date.now(), kind: 'registered', host: identityHostName(), did })
}

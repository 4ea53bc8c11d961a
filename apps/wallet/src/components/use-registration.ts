import { useEffect, useState } from 'react'
import { registerDid } from '../api/identity-service.ts'
import { identityHost } from '../api/runtime-config.ts'
import { recordSignature } from '../history/signature-log.ts'
import { VaultLocked } from '../keys/keychain.ts'
import { keychain } from '../keys/use-keychain.ts'

export type Registration =
  | { kind: 'working' }
  /** Nobody answered; tried again at `nextAt`, ms. */
  | { kind: 'down'; nextAt: number }
  | { kind: 'refused'; message: string }
  | { kind: 'done' }

/** ms before the n-th retry; the last repeats. */
const retryDelays = [3000, 6000, 12_000, 30_000]

/** Registers `did`, again and again while the identity service is down. */
export function useRegistration(did: string): { registration: Registration; tryNow(): void } {
  const [registration, setRegistration] = useState<Registration>({ kind: 'working' })
  const [round, setRound] = useState(0)
  useEffect(() => {
    let current = true
    setRegistration({ kind: 'working' })
    registerDid(keychain, did).then(
      (outcome) => {
        // The service has the DID either way; a page that left only does not say so.
        if (outcome.kind === 'ok') recordRegistration(did)
        if (current) setRegistration(outcome.kind === 'ok' ? { kind: 'done' } : next(outcome, round))
      },
      (error: unknown) => {
        // Locked meanwhile: the guard is already leading away. Anything else belongs to the error screen.
        if (!current || error instanceof VaultLocked) return
        setRegistration(() => {
          throw error
        })
      },
    )
    return () => {
      current = false
    }
  }, [did, round])
  useEffect(() => {
    if (registration.kind !== 'down') return
    const timer = setTimeout(() => setRound((before) => before + 1), registration.nextAt - Date.now())
    return () => clearTimeout(timer)
  }, [registration])
  return { registration, tryNow: () => setRound((before) => before + 1) }
}

function next(outcome: { kind: 'refused'; message: string } | { kind: 'unreachable' }, round: number): Registration {
  if (outcome.kind === 'refused') return outcome
  return { kind: 'down', nextAt: Date.now() + (retryDelays[Math.min(round, retryDelays.length - 1)] ?? 0) }
}

function recordRegistration(did: string): void {
  const host = URL.parse(identityHost())?.host ?? ''
  recordSignature(localStorage, { at: Date.now(), kind: 'registered', host, did })
}

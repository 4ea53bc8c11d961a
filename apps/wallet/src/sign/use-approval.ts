import type { SignRequest } from '@atoll/contract'
import { useState } from 'react'
import { serverNow } from '../api/runtime-config.ts'
import { recordSignature } from '../history/signature-log.ts'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { type Approval, describeApproval } from './approval.ts'
import { type Delivery, deliverSignature } from './deliver.ts'
import { buildSignedPayload } from './signed-payload.ts'

export type ApprovalState =
  | { kind: 'asking' }
  /** Approved while locked: the passcode is asked, then it is signed. */
  | { kind: 'locked' }
  | { kind: 'signing' }
  | Exclude<Delivery, { kind: 'accepted' }>
  /** This device could not sign. */
  | { kind: 'failed' }
  /** `at`: ms, server's clock. */
  | { kind: 'signed'; at: number }

const logKinds = {
  login_cloud: { signed: 'signedIn', declined: 'declinedSignIn' },
  activate_os: { signed: 'activated', declined: 'declinedActivation' },
} as const satisfies Record<Approval['event'], object>

export function signedKindOf(event: Approval['event']) {
  return logKinds[event].signed
}

/** One request on its way from asking to signed or declined. */
export function useApproval(request: SignRequest) {
  const holder = useKeychain()
  const [chosenDid, chooseDid] = useState<string>()
  const [state, setState] = useState<ApprovalState>({ kind: 'asking' })
  // Fixed when the screen opens, so that what is shown and what is signed are the same to the second.
  const [openedAt] = useState(serverNow)
  const approval = describeApproval(request, holder, chosenDid)
  const did = approval.signer?.did
  const payload = did ? buildSignedPayload(request, keychain.kidOf(did), openedAt) : undefined

  const record = (outcome: 'signed' | 'declined') => {
    const kind = logKinds[approval.event][outcome]
    recordSignature(localStorage, { at: Date.now(), kind, host: approval.host, did: did ?? '' })
  }

  return {
    approval,
    payload,
    state,
    chooseDid,
    async approve(): Promise<void> {
      if (!did || !payload) return
      if (keychain.getState().locked) return setState({ kind: 'locked' })
      setState({ kind: 'signing' })
      let jws: string
      try {
        jws = await keychain.sign(did, payload)
      } catch {
        // Told on the screen. The error itself stays unspoken: it may come from code that held a key.
        return setState({ kind: 'failed' })
      }
      const delivery = await deliverSignature(request, { jws, did })
      if (delivery.kind !== 'accepted') return setState(delivery)
      record('signed')
      setState({ kind: 'signed', at: serverNow() })
    },
    decline(): void {
      record('declined')
    },
    backToAsking: () => setState({ kind: 'asking' }),
  }
}

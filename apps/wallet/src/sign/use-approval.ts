import type { SignRequest } from '@atoll/contract/identity'
import { useEffect, useState } from 'react'
import { reportCodeDeclined, reportCodeRead } from '../api/own-site.ts'
import { ownOrigins, serverNow } from '../api/runtime-config.ts'
import { recordSignature } from '../history/signature-log.ts'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { type Approval, describeApproval, inOwnBrowser, isExpired } from './approval.ts'
import { type Delivery, deliverSignature } from './deliver.ts'
import { buildSignedHeader, buildSignedPayload } from './signed-payload.ts'

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
  const [number, setNumber] = useState('')
  // Fixed when the screen opens, so that what is shown and what is signed are the same to the second.
  const [openedAt] = useState(serverNow)
  const described = describeApproval(request, holder, ownOrigins(), chosenDid)
  const did = described.signer?.did
  const isHere = useIsHere(request, described, openedAt)
  // Until it is known where the code is, it is not called too old.
  const approval = isOwnSignIn(described) && isHere !== false ? inOwnBrowser(described) : described
  /** Undefined while it is being found out. */
  const asksNumber = !isOwnSignIn(approval) ? false : isHere === undefined ? undefined : !isHere
  const signed = did
    ? {
        header: buildSignedHeader(request, asksNumber ? number : undefined),
        payload: buildSignedPayload(request, keychain.kidOf(did), openedAt),
      }
    : undefined

  const record = (outcome: 'signed' | 'declined') => {
    const kind = logKinds[approval.event][outcome]
    recordSignature(localStorage, { at: Date.now(), kind, host: approval.host, did: did ?? '' })
  }

  return {
    approval,
    signed,
    state,
    chooseDid,
    asksNumber,
    number,
    setNumber,
    async approve(): Promise<void> {
      if (!did || !signed) return
      if (keychain.getState().locked) return setState({ kind: 'locked' })
      setState({ kind: 'signing' })
      let jws: string
      try {
        jws = await keychain.sign(did, signed.payload, signed.header)
      } catch {
        // The screen shows the failure without the error itself, which may come from code that held a key.
        return setState({ kind: 'failed' })
      }
      const delivery = await deliverSignature(request, { jws, did }, isHere)
      if (delivery.kind !== 'accepted') return setState(delivery)
      record('signed')
      setState({ kind: 'signed', at: serverNow() })
    },
    decline(): void {
      record('declined')
      if (isOwnSignIn(approval)) reportCodeDeclined(request, 'declined')
    },
    backToAsking: () => setState({ kind: 'asking' }),
  }
}

function isOwnSignIn(approval: Approval): boolean {
  return approval.event === 'login_cloud' && !approval.foreign
}

/**
 * Whether the code of a sign-in is on a page of this very browser, so that there is no other screen to compare with;
 * undefined until that is known. Its screen is notified that the code was read, or that this wallet cannot answer it.
 */
function useIsHere(request: SignRequest, approval: Approval, openedAt: number): boolean | undefined {
  const [isHere, setIsHere] = useState<boolean>()
  const isOurs = isOwnSignIn(approval) && !isExpired(inOwnBrowser(approval), openedAt)
  const canAnswer = approval.signer !== undefined
  const asksOther = approval.askedDid !== undefined && !canAnswer
  useEffect(() => {
    if (!isOurs) return
    if (asksOther) return reportCodeDeclined(request, 'otherDid')
    if (!canAnswer) return
    let isLeft = false
    void reportCodeRead(request).then((here) => {
      if (!isLeft) setIsHere(here)
    })
    return () => {
      isLeft = true
    }
  }, [request, isOurs, asksOther, canAnswer])
  return isHere
}

/**
 * An act on its way through the wallet: begun, shown as a code, read, signed, done. A session alone begins it and no
 * more; closing the dialog cancels it, signed or not.
 */
import { type ApprovalAct, approvalBegin, approvalDecline, approvalState } from '@atoll/contract/staff'
import type { Call, CallRequest } from '@atoll/contract/wire'
import { useEffect, useEffectEvent, useState } from 'react'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'

/** How often the page asks whether the wallet has answered, ms. */
const askEveryMs = 1500

export interface AskedApproval {
  nonce: string
  code: string
  expireAt: string
  fields: object
}

export function useApprovedAct<C extends Call>(act: ApprovalAct, call: C, onDone: () => void) {
  const begin = useCallMutation(approvalBegin)
  const run = useCallMutation(call)
  const cancel = useCallMutation(approvalDecline, { toast: true })
  const [asked, setAsked] = useState<AskedApproval>()
  const { data } = useCall(
    approvalState,
    { nonce: asked?.nonce ?? '' },
    { enabled: asked !== undefined && !run.isPending && !run.isSuccess, refetchInterval: askEveryMs, gcTime: 0 },
  )
  const approval = asked && data?.approval
  const perform = useEffectEvent((jws: string) => {
    const body = { ...asked?.fields, approval: jws } as unknown as CallRequest<C> // its own fields, and what was signed
    run.mutate(body, { onSuccess: onDone })
  })
  useEffect(() => {
    if (approval) perform(approval)
  }, [approval])

  return {
    asked,
    state: data?.state ?? 'waiting',
    isBeginning: begin.isPending,
    isRunning: run.isPending,
    error: begin.error ?? run.error,
    begin: (fields: object) =>
      begin.mutate(
        { act, parameters: JSON.stringify(fields) },
        { onSuccess: (answer) => setAsked({ ...answer, fields }) },
      ),
    /** Back to the form; the shown code is no longer polled. */
    forget() {
      // An act that is already done stays done.
      if (asked) cancel.mutate({ nonce: asked.nonce })
      setAsked(undefined)
      begin.reset()
      run.reset()
    },
  }
}

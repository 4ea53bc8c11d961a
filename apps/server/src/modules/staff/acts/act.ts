import type { ApprovalAct } from '@atoll/contract/staff'
import type { Call, CallBody, CallData } from '@atoll/contract/wire'
import type { Money } from '@atoll/money'
import type { z } from 'zod'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'

/** Whom an act is about, and what the wallet has to show of it beside the reason. */
export interface ActSubject {
  /** The id of what it is done to. */
  object: string
  /** Undefined: it is about the deployment and no customer; the statement then names who acts. */
  userid?: string
  amount?: Money
}

/** A call whose body has the fields of an act (`actFields`). */
export type ActCall = Call<z.ZodType<{ reason: string; approval: string; requestId?: string | undefined }>>

/** The acting operator, and the fields of the act's audit record. */
export interface ApprovedBy {
  caller: Caller
  now: Date
  reason: string
  approval: string
}

/** An act that has to be approved: what it is about, worked out of its body alone, and doing it. */
export interface Act<C extends ActCall = ActCall> {
  act: ApprovalAct
  call: C
  /** Asked when it is begun and again when it is done: refuses what is not there. */
  describe(trx: Trx, body: CallBody<C>): Promise<ActSubject>
  perform(trx: Trx, body: CallBody<C>, by: ApprovedBy): Promise<CallData<C>>
}
/** An act whose types are no longer known: its body comes from its own call's schema. */
export interface AnyAct {
  act: ApprovalAct
  call: ActCall
  describe(trx: Trx, body: never): Promise<ActSubject>
  perform(trx: Trx, body: never, by: ApprovedBy): Promise<object>
}

export function defineAct<C extends ActCall>(act: Act<C>): AnyAct {
  return act as unknown as AnyAct // `describe` and `perform` are given what this very call's schema parsed
}

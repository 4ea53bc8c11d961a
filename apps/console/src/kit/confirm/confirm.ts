/**
 * The one question before something is done that cannot be taken back, or interrupts: `confirm({ title, lost, typed,
 * run })`. Asked by `ConfirmHost`, of the account whose page it is.
 */
import type { Call, CallData, CallRequest } from '@atoll/contract/wire'
import { type ComponentType, useSyncExternalStore } from 'react'
import { currentAccount } from '../../session/account-store.ts'

export interface Question<C extends Call = Call> {
  /** A question that names the object. */
  title: string
  /** The losses, and the effects meanwhile: a paragraph each. */
  lost: string[]
  /** Has to be typed first. */
  typed?: string
  /** One thing to decide with it, which goes along as a field of the body. */
  choice?: { field: string; initial: boolean; Field: ComponentType<ChoiceProps> }
  /** The cost or refund, by a call of its own; the value it hands up goes along in the body. */
  Quote?: ComponentType<QuoteProps>
  /** The safe answer. */
  keep: string
  /** The answer that does it. */
  act: string
  /** Something is destroyed. */
  danger?: boolean
  run: RunCall<C> | (() => Promise<void>)
}

/** A press of `act`: retried and reported as any (`data/presses.ts`); the question stays until it is answered. */
export interface RunCall<C extends Call> {
  call: C
  body: CallRequest<C>
  onSuccess?: (answer: CallData<C>) => void
  /** Why the answer was not the end of it, in words: the question is then asked again. */
  again?: (answer: CallData<C>) => string | undefined
}

export interface QuoteProps {
  /** Fields of the body that hold what is shown; undefined: nothing is shown. */
  onQuote: (fields: object | undefined) => void
}

export interface ChoiceProps {
  value: boolean
  onChange: (value: boolean) => void
}

export interface AskedQuestion {
  question: Question
  userid: string | undefined
  /** New for each, so that a question starts empty. */
  id: number
}

const listeners = new Set<() => void>()
let asked: AskedQuestion | undefined

/** Asks `question`; what is confirmed runs from the dialog. */
export function confirm<C extends Call>(question: Question<C>): void {
  // Of its call and body nothing is asked but that they go together.
  const plain = question as unknown as Question
  asked = { question: plain, userid: currentAccount()?.userid, id: (asked?.id ?? 0) + 1 }
  for (const listener of listeners) listener()
}

/** The question that was asked last. */
export function useAskedQuestion(): AskedQuestion | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
}

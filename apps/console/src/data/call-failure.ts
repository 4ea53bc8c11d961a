import { text } from '../kit/i18n/text.ts'
import type { FailureKind } from './answer.ts'

/** A call that did not succeed. `message` can be shown to the person. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly kind: FailureKind
  /** Body code; undefined when there was no usable answer. */
  readonly code: number | undefined
  /** HTTP status; undefined when nothing was answered: the connection failed, or the time was up. */
  readonly status: number | undefined
  readonly path: string
  readonly requestId: string | undefined
  /** What the server said that is not for people. */
  readonly detail: string | undefined

  constructor(facts: {
    kind: FailureKind
    path: string
    code?: number | undefined
    status?: number
    message?: string | undefined
    requestId?: string | undefined
    detail?: string | undefined
    cause?: unknown
  }) {
    super(facts.message ?? text(facts.kind === 'network' ? 'failure.network' : 'failure.unknown'), {
      cause: facts.cause,
    })
    this.kind = facts.kind
    this.code = facts.code
    this.status = facts.status
    this.path = facts.path
    this.requestId = facts.requestId
    this.detail = facts.detail
  }
}

/** Nothing is said about the failure (spec §8): body code 401 is passed on silently, 506 leads to signing in again. */
export function isSilent(error: Error): boolean {
  return error instanceof CallFailure && (error.kind === 'silent' || error.kind === 'signedOut')
}

/** What 'Copy details' puts on the clipboard: enough to find the request in the server's log, no secret. */
export function failureDetails(error: Error, time: Date): string {
  const facts = error instanceof CallFailure ? error : undefined
  return [
    error.message,
    facts?.detail,
    facts && `path: ${facts.path}`,
    facts?.code !== undefined && `code: ${facts.code}`,
    facts?.requestId && `request: ${facts.requestId}`,
    `time: ${time.toISOString()}`,
  ]
    .filter(Boolean)
    .join('\n')
}

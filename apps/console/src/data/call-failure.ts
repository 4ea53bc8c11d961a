import { codes } from '@atoll/contract/wire'
import { text } from '../locales/text.ts'
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
  /** The server's message that is not for people. */
  readonly detail: string | undefined
  /** The field of the body that was refused, where a person can type another value. */
  readonly field: string | undefined

  constructor(facts: {
    kind: FailureKind
    path: string
    code?: number | undefined
    status?: number
    message?: string | undefined
    requestId?: string | undefined
    detail?: string | undefined
    field?: string | undefined
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
    this.field = facts.field
  }
}

/** Nothing is said about the failure (spec §8): body code 401 is passed on silently, 506 leads to signing in again. */
export function isSilent(error: Error): boolean {
  return error instanceof CallFailure && (error.kind === 'silent' || error.kind === 'signedOut')
}

/**
 * HTTP statuses with which a proxy says that its server is not there, hung up or took too long: our server answers 200
 * or 500.
 */
const fromProxy: ReadonlySet<number | undefined> = new Set([502, 503, 504])

/** Nothing was answered, or nothing by the server itself. */
export function isCut(error: Error): boolean {
  if (!(error instanceof CallFailure) || error.kind !== 'network') return false
  return error.status === undefined || fromProxy.has(error.status)
}

/** Whether the server did it is not known: nothing usable was answered, or to come again. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof CallFailure && (error.kind === 'network' || error.code === codes.unavailable)
}

/** There is no such object, or none that this account may see; or what names it is no id. */
export function isMissing(error: Error): boolean {
  return error instanceof CallFailure && (error.code === codes.notFound || error.code === codes.badParameter)
}

/** The clipboard text of 'Copy details': enough to find the request in the server's log, no secret. */
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

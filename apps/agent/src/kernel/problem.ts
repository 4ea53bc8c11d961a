import type { ProblemCode } from '@atoll/contract/personal-server'

/**
 * A refusal that the visitor is shown: an HTTP status, a code for the page, a sentence for a person (contract,
 * `personal-server.ts`).
 */
export class HttpProblem extends Error {
  readonly status: number
  readonly code: ProblemCode
  readonly retryAfterSeconds: number | undefined
  /** Of a 405: the methods that there are. */
  allow?: string
  constructor(status: number, code: ProblemCode, message: string, retryAfterSeconds?: number) {
    super(message)
    this.name = 'HttpProblem'
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

import { type ErrorKey, errorCatalogue } from '@atoll/contract/api'
import { codes, type Locale } from '@atoll/contract/wire'
import { errorMessage } from '@atoll/texts/refusals'

export type RefusalParams = Record<string, string | number>

/**
 * An expected "no": an entry of the error catalogue with its parameters. Thrown anywhere under a call, it becomes that
 * entry's code and sentence in the caller's language; it is not logged as a failure.
 */
export class Refusal extends Error {
  readonly key: ErrorKey
  readonly params: RefusalParams

  constructor(key: ErrorKey, params: RefusalParams = {}) {
    super(errorMessage(key, 'en-US', params))
    this.name = 'Refusal'
    this.key = key
    this.params = params
  }

  get code(): number {
    return errorCatalogue[this.key].code
  }

  /** The field of the body that is refused, where a person types it. */
  get field(): string | undefined {
    const row: { code: number; field?: string } = errorCatalogue[this.key]
    return row.field
  }

  /** Of too many: when it may be tried again, s. */
  get retryAfterSeconds(): number | undefined {
    const { seconds, minutes } = this.params
    if (this.code !== codes.tooManyRequests) return undefined
    return typeof seconds === 'number' ? seconds : typeof minutes === 'number' ? minutes * 60 : undefined
  }

  /** The sentence for a person who reads `locale`. */
  sentence(locale: Locale): string {
    return errorMessage(this.key, locale, this.params)
  }
}

/** Refuses with an entry of the error catalogue. */
export function refuse(key: ErrorKey, params: RefusalParams = {}): never {
  throw new Refusal(key, params)
}

import { problemCodes } from '@atoll/contract/personal-server'
import { useText } from '../i18n/text.ts'
import { ApiProblem } from './call.ts'

/** The sentence for whatever a call threw. */
export function useProblemText(): (error: unknown) => string {
  const t = useText()
  return (error) => {
    if (!(error instanceof ApiProblem)) return t('problem.serverError')
    const isKnown = error.code === 'unreachable' || problemCodes.includes(error.code)
    return t(isKnown ? `problem.${error.code}` : 'problem.serverError', { seconds: error.retryAfterSeconds })
  }
}

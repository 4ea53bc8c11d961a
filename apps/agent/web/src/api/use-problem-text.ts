import { useText } from '../i18n/text.ts'
import { ApiProblem } from './call.ts'

/** The sentence for whatever a call threw. */
export function useProblemText(): (error: unknown) => string {
  const t = useText()
  return (error) => {
    if (!(error instanceof ApiProblem)) return t('problem.serverError')
    return t(`problem.${error.code}`, { seconds: error.retryAfterSeconds })
  }
}

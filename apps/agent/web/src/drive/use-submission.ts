import { useState } from 'react'
import { useProblemText } from '../api/use-problem-text.ts'

/** A dialog's one call: busy while it runs, `onDone` when it worked, otherwise the sentence that says why not. */
export function useSubmission(onDone = () => {}) {
  const problemText = useProblemText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  return {
    busy,
    problem,
    forgive: () => setProblem(undefined),
    async submit(call: () => Promise<unknown>): Promise<void> {
      setBusy(true)
      setProblem(undefined)
      try {
        await call()
        onDone()
      } catch (error) {
        setProblem(problemText(error))
        setBusy(false)
      }
    },
  }
}

import { refuse } from '../../../platform/refusal.ts'

/** Runs tasks one at a time, in order; one that finds `mostWaiting` others waiting is refused with `busy`. */
export function createTurns({ mostWaiting }: { mostWaiting: number }): <T>(task: () => Promise<T>) => Promise<T> {
  /** Tasks that run or wait. */
  let present = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (task) => {
    if (present > mostWaiting) refuse('busy')
    present += 1
    const turn = last.then(task).finally(() => {
      present -= 1
    })
    last = turn.catch(() => undefined) // the caller gets the error
    return await turn
  }
}

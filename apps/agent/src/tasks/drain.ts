/**
 * A drain: before its instance is removed the agent takes no more work and finishes what it has begun. Kept in memory
 * only: after a restart nothing is under way, and a task that is still open begins it again.
 */
import type { ServerResponse } from 'node:http'
import { HttpProblem } from '../kernel/problem.ts'

export interface Drain {
  /** Begins, or goes on with, the drain `taskId`; resolves when nothing is under way any more. */
  begin(taskId: string): Promise<void>
  /** Takes work again, unless another drain has begun meanwhile. */
  giveUp(taskId: string): void
  /** Counts a request until its answer is over. Refuses with 503 one that would change something while draining. */
  admit(res: ServerResponse, changes: boolean): void
}

export function createDrain(): Drain {
  let task: string | null = null
  let underWay = 0
  let idle = Promise.withResolvers<void>()

  return {
    async begin(taskId) {
      task = taskId
      while (underWay > 0) await idle.promise
    },
    giveUp(taskId) {
      if (task === taskId) task = null
    },
    admit(res, changes) {
      if (task !== null && changes) throw new HttpProblem(503, 'draining', 'This machine is about to be removed.')
      underWay += 1
      res.once('close', () => {
        underWay -= 1
        if (underWay > 0) return
        idle.resolve()
        idle = Promise.withResolvers()
      })
    },
  }
}

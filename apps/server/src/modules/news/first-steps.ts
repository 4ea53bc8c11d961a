import { type FirstStep, firstSteps, type firstStepsShow } from '@atoll/contract/accounts'
import type { CallData } from '@atoll/contract/wire'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import { readMarks } from './mark-store.ts'

export interface NewsDeps {
  db: Db
  clock: Clock
  /** The steps that facts of other modules show to be done. */
  findDoneSteps(userid: string): Promise<ReadonlySet<FirstStep>>
}

export async function describeFirstSteps(
  { db, findDoneSteps }: NewsDeps,
  userid: string,
): Promise<CallData<typeof firstStepsShow>> {
  const [done, marks] = await Promise.all([findDoneSteps(userid), readMarks(db, userid)])
  return {
    steps: firstSteps.map((step) => ({
      step,
      isDone: step === 'password' ? marks.has('passwordKept') : done.has(step),
    })),
    isDismissed: marks.has('stepsDismissed'),
  }
}

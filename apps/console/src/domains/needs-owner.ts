/** Whether a domain waits for its owner: without a text, so that the frame may count them before the pages' texts. */
import type { Domain } from '@atoll/contract/domains'

export type ProblemKey = NonNullable<Domain['problem']>['key']

/** Faults that only the domain's owner can fix, and the obstacles meanwhile. */
export const severeProblems: readonly ProblemKey[] = [
  'provenByOther',
  'parentProven',
  'childProven',
  'delegationLost',
  'noNameServers',
  'contested',
  'claimRefused',
]
const ownersProblems: readonly ProblemKey[] = [...severeProblems, 'checksPaused', 'proofUnseen', 'proofLapsed']
const ownersSteps: readonly Domain['status'][] = ['WAIT_REQUEST_VC', 'WAIT_SUBMIT_VP', 'WAIT_RULE_SET', 'BIND']

export function needsOwner({ problem, status }: Pick<Domain, 'problem' | 'status'>): boolean {
  return problem ? ownersProblems.includes(problem.key) : ownersSteps.includes(status)
}

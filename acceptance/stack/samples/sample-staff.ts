/** Answers to what staff ask in the operator's area. */
import * as contract from '@atoll/contract/everything'
import type { Call, CallData } from '@atoll/contract/wire'
import { type Answers, sampleAnswers } from './sample-account.ts'
import { daysAgo, friend, minutesAgo, owner } from './sample-facts.ts'

const figures = (rowsNumber: number) => ({ page: 1, rowsPerPage: 20, rowsNumber })
const me = { ...owner, accountId: 'ac_sample0001' }
const colleague = { ...friend, accountId: 'ac_sample0002' }

/** The sample account with the role operator. */
export function staffAnswers(): Answers {
  const answers = sampleAnswers()
  const init = answers.get(contract.resourceInitNew) as CallData<typeof contract.resourceInitNew> // set by that file
  const user = { ...init.user, staff: 'operator' as const }
  answers.set(contract.resourceInitNew, { ...init, user }).set(contract.userInfo, user)
  for (const [call, data] of ofStaff()) answers.set(call, data)
  return answers
}

function answer<C extends Call>(call: C, data: CallData<C>): [Call, unknown] {
  return [call, data]
}

function ofStaff(): [Call, unknown][] {
  const code = contract.encodeApproveCode({
    topic: 'approve',
    message: { url: 'http://atoll.test', nonce: 'a'.repeat(32) },
  })
  return [
    answer(contract.approvalBegin, { nonce: 'a'.repeat(32), code, expireAt: minutesAgo(-5) }),
    answer(contract.approvalState, { state: 'waiting', approval: null }),
    answer(contract.staffChange, {}),
    answer(contract.staffPage, {
      members: [
        {
          person: me,
          role: 'operator',
          since: daysAgo(200),
          grantedBy: null,
          lastAct: { at: minutesAgo(9), action: 'account.makeSupport', objectName: friend.terminusName },
        },
        { person: colleague, role: 'support', since: daysAgo(3), grantedBy: me, lastAct: null },
      ],
      ...figures(2),
    }),
  ]
}

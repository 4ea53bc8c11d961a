/** What a call of the operator's area may be refused for. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const staffRefusals = {
  lastOperator: {
    code: codes.conflict,
    'en-US': 'This is the last operator. Make another person an operator first.',
    'zh-CN': '这是最后一位运营人员，请先将他人设为运营人员。',
  },
  staffAlready: {
    code: codes.conflict,
    'en-US': 'They have this role already.',
    'zh-CN': '对方已拥有此角色。',
  },
} as const satisfies Refusals

/** Persons in the operator's area: the operator, and a customer. */
import { friend, owner } from './sample-facts.ts'

export const me = { ...owner, accountId: `ac_${'1'.repeat(32)}` }
export const colleague = { ...friend, accountId: `ac_${'2'.repeat(32)}` }

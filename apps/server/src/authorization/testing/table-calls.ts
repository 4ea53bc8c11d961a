/** The calls of the contract by their reach, and what a test asks with them. */
import * as contract from '@atoll/contract/everything'
import { type Call, codes, type Envelope, type Reach } from '@atoll/contract/wire'
import { callBodies, type Ids } from '../call-bodies.fixture.ts'
import type { Person } from './test-app.ts'

/** Every call of the contract. */
export const calls = Object.values(contract as Record<string, unknown>).filter(
  (value): value is Call => typeof value === 'object' && value !== null && 'path' in value && 'reach' in value,
)

/** The body of `call`, about these objects. */
export const bodyOf = (call: Call, ids: Ids): object => callBodies[call.name]?.(ids) ?? {}
/** Asks `call` as `person`, about these. */
export const send = (person: Person, call: Call, ids: Ids) => person.api.send(call, bodyOf(call, ids))
/** The codes of answers that let nobody in. */
export const denials: readonly number[] = [codes.signedOut, codes.notFound, codes.forbidden]
/** Whether an answer names any of these. */
export const mentions = (answer: Envelope<unknown>, ids: Ids) =>
  [ids.userid, ids.clusterId, ids.selfHostId, ids.sessionId, ids.cardId, ids.invoiceId, ids.backupId, ids.domain].some(
    (id) => JSON.stringify(answer).includes(id),
  )
/** The calls of these reaches, each after its name. */
export const callsThat = (...reaches: Reach[]) =>
  calls.filter((call) => reaches.includes(call.reach)).map((call) => [call.name, call] as const)

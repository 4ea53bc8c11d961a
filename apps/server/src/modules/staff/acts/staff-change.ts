import { staffChange } from '@atoll/contract/staff'
import { didOfKeyId } from '@atoll/did'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { changeStaff, findAccountOfDid } from '../../accounts/index.ts'
import { findDidOf } from '../../identity/index.ts'
import { defineAct } from './act.ts'

/** Gives somebody a staff role, or ends it. */
export const staffChangeAct = defineAct({
  act: 'staffChange',
  call: staffChange,
  async describe(trx, { who, role }) {
    const userid = await getPerson(trx, who)
    return { object: role, userid }
  },
  async perform(trx, { who, role }, { caller, now, reason, approval }) {
    await changeStaff(trx, {
      userid: await getPerson(trx, who),
      role: role === 'end' ? null : role,
      source: { actor: caller, ip: caller.ip },
      approved: { reason, approval },
      now,
    })
    return {}
  },
})

async function getPerson(db: Db, who: string): Promise<string> {
  const did = didOfKeyId(who) ?? (await findDidOf(db, who.toLowerCase()))
  return (did === null ? undefined : await findAccountOfDid(db, did)) ?? refuse('personUnknown')
}

/**
 * Identifies an agent that dials, on the channel or the relay, by its `Authorization`, and decides whether its boot may
 * serve (`boots/boots.ts`).
 * A boot that changes what is known has to prove first that it lives: the state is read, then the dial is answered, and
 * when the agent says anything after that, and nothing else was noted meanwhile, it was alive after everything noted so
 * far. A dial that was read late, of a process that had ended, says nothing and changes nothing.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type AgentBoot, agentBootHeaders, type MachineRefusal } from '@atoll/contract/agents'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { wakeAgent } from '../agent-service.ts'
import { type AgentRef, endChannel, findAgentRef } from '../agent-store.ts'
import { findBoots, lockBoots, saveBoots } from '../boot-store.ts'
import { chooseBoot, noteBoot, standingOf } from '../boots/boots.ts'
import { findProvenInstance, isReplaced } from '../enroll/enrollment-service.ts'

/** `again`: something else was noted meanwhile, and it may dial again. */
export type Proof = 'serves' | 'again' | MachineRefusal

/** Undefined: it proves nothing. */
export type Met = { refusal: MachineRefusal } | { instanceId: string; prove?: () => Promise<Proof> } | undefined

export interface MeetDeps {
  db: Db
  clock: Clock
  onAgentChange(trx: Trx, agent: AgentRef): Promise<void>
}

/** Call `prove` of what is met once the agent has said something after its dial was answered. */
export async function meetDial(deps: MeetDeps, headers: IncomingHttpHeaders): Promise<Met> {
  const { db } = deps
  const instanceId = await findProvenInstance(db, headers.authorization)
  if (instanceId === undefined)
    return (await isReplaced(db, headers.authorization)) ? { refusal: 'machineReplaced' } : undefined
  const dial = agentBootHeaders.read(headers)
  if (!dial) return { instanceId }
  const boots = await findBoots(db, instanceId)
  const standing = standingOf(boots, dial)
  if (standing === 'serves') return { instanceId }
  if (standing === 'unproven') return { instanceId, prove: () => prove(deps, instanceId, dial, boots.version) }
  await note(deps, instanceId, dial, boots.version)
  return { refusal: 'machineCopied' }
}

/** The boot lived after `version` was read. */
async function prove(deps: MeetDeps, instanceId: string, dial: AgentBoot, version: number): Promise<Proof> {
  const noted = await note(deps, instanceId, dial, version)
  return noted ?? 'again'
}

async function note(deps: MeetDeps, instanceId: string, dial: AgentBoot, version: number): Promise<Proof | undefined> {
  const { db, clock } = deps
  const found = await db.transaction().execute(async (trx) => {
    const boots = await lockBoots(trx, instanceId)
    if (!boots) return undefined
    // Another version: its other connection was faster.
    const next = boots.version === version ? noteBoot(boots, dial, clock.now().getTime()) : boots
    if (next !== boots) await saveBoots(trx, instanceId, next)
    return { boots, next, standing: standingOf(next, dial) }
  })
  if (!found || found.standing === 'unproven') return undefined
  const { boots, next, standing } = found
  const isCopy = boots.serving !== null && next !== boots && next.refused.at(-1)?.id === boots.serving.id
  const isShown = boots.refused.length > 0 || next.refused.length > 0
  if (next !== boots && isShown) await publish(deps, instanceId, { endsChannel: isCopy })
  return standing === 'refused' ? 'machineCopied' : 'serves'
}

/** Tells the owner. `endsChannel`: the copy that served until now has to dial again, to hear why it is refused. */
async function publish(
  { db, onAgentChange }: MeetDeps,
  instanceId: string,
  { endsChannel }: { endsChannel: boolean },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (endsChannel) {
      await endChannel(trx, instanceId)
      await wakeAgent(trx, { instanceId, what: 'replaced' })
    }
    const ref = await findAgentRef(trx, instanceId)
    if (ref) await onAgentChange(trx, ref)
  })
}

/**
 * The owner says that the boot `bootId` of the instance goes on; false where nobody knows it. The one that served until
 * then is refused when it dials again, at once.
 */
export async function chooseMachine(
  trx: Trx,
  clock: Clock,
  { instanceId, bootId }: { instanceId: string; bootId: string },
): Promise<boolean> {
  const before = await findBoots(trx, instanceId)
  // Before the agent's row, as everybody locks them.
  if (before.serving?.id !== bootId) await endChannel(trx, instanceId)
  const boots = await lockBoots(trx, instanceId)
  const chosen = boots && chooseBoot(boots, bootId, clock.now().getTime())
  if (!chosen) return false
  await saveBoots(trx, instanceId, chosen)
  await wakeAgent(trx, { instanceId, what: 'replaced' })
  return true
}

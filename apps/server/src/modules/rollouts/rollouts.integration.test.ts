/** The fate of tasks that a rollout asked by, once it is taken back or another takes its place. */
import { taskKinds, updateTrialMs } from '@atoll/contract/agents'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock as clock } from '../../platform/clock.ts'
import { type AgentHarness, agentState, collectCommands, createAgentHarness } from '../agents/testing/agent-harness.ts'
import { findRollout, insertRollout, listTargets, updateRollout, updateTargets } from './rollout-store.ts'
import { advanceRollouts, noteAnswer, type RolloutDeps, takeBackRollout } from './rollouts.ts'

const release = { version: '2.0.0+two', at: 1, sha256: 'a'.repeat(64), signature: Buffer.alloc(64).toString('base64') }
const update = { ...release, withinMs: updateTrialMs }
const now = new Date()

let harness: AgentHarness
let deps: RolloutDeps

beforeAll(async () => {
  harness = await createAgentHarness({ onTaskChange: (trx, _, task) => noteAnswer(deps, trx, task) })
  deps = { db: harness.db, clock, agents: harness.api.agents, offered: async () => release }
})
afterAll(() => harness.close())

const begin = async (id: string, place: { instanceId: string; clusterId: string }) =>
  await harness.trx((trx) =>
    insertRollout(trx, { id, kind: 'agent', version: release.version, now }, [{ ...place, wave: 0 }]),
  )
const end = async (id: string) =>
  await harness.trx((trx) => updateRollout(trx, id, { state: 'ended', ended_at: clock.now() }))
const targetOf = async (id: string) => (await listTargets(harness.db, id))[0]

test('the same version started again hears the answer to the task that the first one asked by', async () => {
  const { mine, socket } = await harness.connect()
  const commands = collectCommands(socket)
  const state = { ...agentState, program: { hasKey: true, previous: null } }
  socket.send(JSON.stringify({ ...state, tasks: [] }))
  await harness.waitFor(mine.instanceId, 'it reports', ({ connected, program }) => connected && program !== null)
  await begin('ro_first', mine)
  await advanceRollouts(deps)
  const command = await commands.next(({ type }) => type === 'task')
  const taskId = 'taskId' in command ? command.taskId : null
  await end('ro_first')
  await begin('ro_second', mine)
  await advanceRollouts(deps)
  expect(await targetOf('ro_second')).toMatchObject({ state: 'asked', task_id: taskId })
  const failed = { taskId, state: 'failed', result: null, reason: 'The disk is full.' }
  socket.send(JSON.stringify({ ...state, tasks: [failed] }))
  const target = await until('the answer is noted', async () => {
    const read = await targetOf('ro_second')
    return read?.state === 'asked' ? undefined : read
  })
  expect(target).toMatchObject({ state: 'failed', reason: failed.reason })
  await end('ro_second')
  socket.terminate()
})

test.each(['taken back', 'ended'] as const)('nothing is sent any more of a rollout that was %s', async (how) => {
  const place = harness.newInstance()
  await harness.issue(place)
  const [id, taskId] = [`ro_${how.length}`, `at_${how.length}`]
  await begin(id, place)
  await harness.trx(async (trx) => {
    const instanceIds = [place.instanceId]
    await updateTargets(trx, { rolloutId: id, instanceIds, now }, { state: 'asked', task_id: taskId })
    await deps.agents.requestTask(trx, taskKinds.update, { taskId, instanceId: place.instanceId, params: update })
  })
  await (how === 'ended' ? end(id) : harness.trx((trx) => takeBackRollout(trx, id)))
  await advanceRollouts(deps)
  expect(await deps.agents.listTasks(harness.db, [taskId])).toMatchObject([{ state: 'canceled' }])
  expect(await findRollout(harness.db, id)).toMatchObject({ state: 'ended' })
})

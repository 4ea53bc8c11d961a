/** A disk that is copied: what its boots are told when they dial, and dials that were read late. */
import { agentBootHeaders, agentChannelPath, machineRefusalCodes } from '@atoll/contract/agents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type AgentHarness, agentState, agentToken, createAgentHarness, type Place } from '../testing/agent-harness.ts'

let harness: AgentHarness

beforeAll(async () => {
  harness = await createAgentHarness()
})
afterAll(() => harness.close())

const reports = (place: Place, bootId: string) =>
  harness.waitFor(place.instanceId, `boot ${bootId} reports`, (row) => row.connected && row.bootId === bootId)

/** Dials as a boot, without a word. */
async function dialAs({ instanceId }: Place, id: string): Promise<WebSocket> {
  const headers = {
    authorization: `Bearer ${instanceId}.${agentToken}`,
    ...agentBootHeaders.write({ id, previous: null, hostName: `höst of ${id}` }),
  }
  const socket = new WebSocket(harness.api.origin.replace('http', 'ws') + agentChannelPath, { headers })
  await new Promise((resolve) => socket.once('open', resolve))
  return socket
}
const say = (socket: WebSocket, bootId: string) => socket.send(JSON.stringify({ ...agentState, bootId }))

test('is only believed of a boot that says something: a dial that was read late changes nothing', async () => {
  const { mine, socket } = await harness.connect()
  socket.terminate()
  const first = await dialAs(mine, 'first')
  say(first, 'first')
  await reports(mine, 'first')
  const second = await dialAs(mine, 'second')
  // A dial that was still on its way when its process ended: accepted, then silent.
  const late = await dialAs(mine, 'first-again')
  const third = await dialAs(mine, 'first')
  say(second, 'second')
  await reports(mine, 'second')
  late.terminate()
  third.terminate()
  expect((await harness.see(mine.instanceId))?.copies).toBeNull()

  const back = await dialAs(mine, 'first')
  say(back, 'first')
  const { copies } = await harness.waitFor(mine.instanceId, 'the copy is noticed', (row) => row.copies !== null)
  expect(copies).toMatchObject({ serving: { hostName: 'höst of first' }, refused: [{ hostName: 'höst of second' }] })
  const refused = await dialAs(mine, 'second')
  const closed = await new Promise((resolve) => refused.once('close', (code, why) => resolve([code, String(why)])))
  expect(closed).toEqual([machineRefusalCodes.machineCopied, 'machineCopied'])
  for (const each of [first, second, back]) each.terminate()
})

test('is chosen between by its owner: the one that served is refused at its next dial', async () => {
  const { mine, socket } = await harness.connect()
  socket.terminate()
  const sockets: WebSocket[] = []
  for (const boot of ['first', 'second', 'first']) {
    const dialled = await dialAs(mine, boot)
    sockets.push(dialled)
    say(dialled, boot)
    await reports(mine, boot)
  }
  const choose = (bootId: string) =>
    harness.trx((trx) => harness.api.agents.chooseMachine(trx, { instanceId: mine.instanceId, bootId }))
  expect(await choose('nobody')).toBe(false)
  const served = sockets[2] as WebSocket // dialled above
  const ended = new Promise((resolve) => served.once('close', resolve))
  expect(await choose('second')).toBe(true)
  await ended
  const copies = { isAnswered: true, serving: { bootId: 'second' }, refused: [{ bootId: 'first' }] }
  expect((await harness.see(mine.instanceId))?.copies).toMatchObject(copies)
  const refused = await dialAs(mine, 'first')
  expect(await new Promise((resolve) => refused.once('close', resolve))).toBe(machineRefusalCodes.machineCopied)
  const chosen = await dialAs(mine, 'second')
  say(chosen, 'second')
  await reports(mine, 'second')
  for (const each of [...sockets, chosen]) each.terminate()
})

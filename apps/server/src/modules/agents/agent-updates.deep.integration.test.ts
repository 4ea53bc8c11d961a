/** The agent as releases bring it, as processes that update themselves. */
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentRelease, taskKinds } from '@atoll/contract/agents'
import { patienceMs, until } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AgentHarness, createAgentHarness } from './testing/agent-harness.ts'
import { startAgentProcess } from './testing/agent-process.ts'
import { type AgentReleases, createAgentReleases } from './testing/agent-releases.ts'

let releases: AgentReleases
let harness: AgentHarness
let serial = 0

beforeAll(async () => {
  releases = await createAgentReleases()
  harness = await createAgentHarness({ archive: releases.archive })
})
afterAll(async () => {
  await harness.close()
  releases.remove()
})

async function update(instanceId: string, release: AgentRelease, withinMs = patienceMs / 2) {
  const taskId = `at_update${++serial}`
  const params = { ...release, withinMs }
  await harness.trx((trx) => harness.api.agents.requestTask(trx, taskKinds.update, { taskId, instanceId, params }))
  return await endOf(taskId)
}

async function endOf(taskId: string) {
  return await until('the task ends', async () => {
    const [task] = await harness.api.agents.listTasks(harness.db, [taskId])
    return task && ['done', 'failed'].includes(task.state) ? task : undefined
  })
}

test('an agent installs what is signed, returns from what does not report, and goes back', async () => {
  const place = harness.newInstance()
  const { instanceId } = place
  const environment = {
    ATOLL_AGENT_CONTROL_URL: harness.api.origin,
    ATOLL_AGENT_ENROLL_TOKEN: await harness.issue(place),
    ATOLL_AGENT_INSTANCE: instanceId,
  }
  const { program, archive, make: offer } = releases
  const home = join(releases.folder, 'home')
  const start = () => startAgentProcess(home, environment, program)
  const runs = (version: string) =>
    harness.waitFor(instanceId, `${version} runs`, (row) => row.connected && row.version === version)
  let agent = start()
  expect(await runs('1.0.0+one')).toMatchObject({ program: { hasKey: true, previous: null } })

  // In the same process, so its supervisor keeps watching it.
  expect(await update(instanceId, offer('1.1.0', 200))).toMatchObject({
    state: 'done',
    result: { version: '1.1.0+one' },
  })
  expect(await runs('1.1.0+one')).toMatchObject({ program: { hasKey: true, previous: '1.0.0+one' } })
  expect(agent.child.exitCode).toBeNull()
  await agent.kill('SIGKILL')
  agent = start()
  await runs('1.1.0+one')

  // It runs, and never says anything.
  const silent = await update(instanceId, offer('1.2.0', 300, { main: () => 'setInterval(() => {}, 1000)\n' }), 500)
  expect(silent).toMatchObject({ state: 'failed', reason: 'Version 1.2.0+one did not report within 0.5 s; went back.' })
  await runs('1.1.0+one')
  // It exits on its own.
  const broken = await update(instanceId, offer('1.2.1', 300, { main: () => "throw new Error('broken')\n" }))
  expect(broken).toMatchObject({ state: 'failed', reason: expect.stringContaining('1.2.1+one ended') })
  await runs('1.1.0+one')
  // It blocks the only thread that could end it; the supervisor starts it again.
  const blocking = update(instanceId, offer('1.2.2', 300, { main: () => 'for (;;);\n' }), 500)
  expect(await agent.exited).toBe('SIGKILL')
  agent = start()
  expect(await blocking).toMatchObject({ state: 'failed', reason: expect.stringContaining('1.2.2+one ended') })
  await runs('1.1.0+one')

  const foreign = offer('1.3.0', 400, { key: generateKeyPairSync('ed25519').privateKey })
  expect((await update(instanceId, foreign)).reason).toBe(
    'Version 1.3.0+one is not signed with the key that this agent came with.',
  )
  expect((await update(instanceId, offer('0.9.0', 50))).reason).toBe('Version 0.9.0+one is older than this one.')
  const good = offer('1.4.0', 500)
  writeFileSync(archive, 'something else')
  expect((await update(instanceId, good)).reason).toContain('could not be fetched')

  const taskId = 'at_back'
  const params = { version: '1.1.0+one' }
  await harness.trx((trx) => harness.api.agents.requestTask(trx, taskKinds.updateBack, { taskId, instanceId, params }))
  expect(await endOf(taskId)).toMatchObject({ state: 'done', result: { version: '1.0.0+one' } })
  expect(await runs('1.0.0+one')).toMatchObject({ program: { previous: null } })
  expect(agent.child.exitCode).toBeNull()
  await agent.kill('SIGKILL')
})

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePorts, until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type AgentHarness, createAgentHarness } from '../testing/agent-harness.ts'

let harness: AgentHarness

beforeAll(async () => {
  harness = await createAgentHarness()
})
afterEach(() => harness.killAgents())
afterAll(() => harness.close())

describe('with two api processes', () => {
  test('an install requested at one reaches the agent at the other, and the agent may change over', async () => {
    await using stack = new AsyncDisposableStack()
    const other = await harness.startApp()
    stack.defer(() => other.close())
    const place = harness.newInstance()
    harness.start(place.instanceId, await harness.issue(place), other.origin)
    await harness.waitFor(place.instanceId, 'connected', ({ connected }) => connected)
    await harness.requestInstall(place.instanceId)
    await harness.waitFor(place.instanceId, 'installed', ({ install }) => install.state === 'done')

    const identity = JSON.parse(await readFile(join(harness.folder, place.instanceId, 'agent.json'), 'utf8'))
    const second = await harness.openChannel(`Bearer ${place.instanceId}.${identity.token}`)
    expect(second.status).toBe(101)
    const gone = once(second.socket, 'close')
    // The replaced agent came back and replaced the intruder.
    expect((await gone)[0]).toBe(4001)
    await harness.waitFor(place.instanceId, 'connected', ({ connected }) => connected)
  })

  test('one that stops in order hands its agents over at once', async () => {
    const [port = 0] = await findFreePorts(1)
    const first = await harness.startApp(port)
    const place = harness.newInstance()
    harness.start(place.instanceId, await harness.issue(place), `http://127.0.0.1:${port}`)
    await harness.waitFor(place.instanceId, 'connected', ({ connected }) => connected)
    await first.close()
    // From its silence alone that would be noticed only 15 s later.
    expect(await harness.see(place.instanceId)).toMatchObject({ connected: false })
    const second = await harness.startApp(port)
    await harness.waitFor(place.instanceId, 'back', ({ connected }) => connected)
    await second.close()
  })
})

describe('when the api process is killed', () => {
  let child: ChildProcess | undefined
  afterEach(() => void child?.kill('SIGKILL'))

  test('its agents come back to it, and until then are seen to be gone', async () => {
    const [port = 0] = await findFreePorts(1)
    child = await harness.startApiProcess(port)
    const place = harness.newInstance()
    const token = await harness.issue(place)
    await harness.requestInstall(place.instanceId)
    harness.start(place.instanceId, token, `http://127.0.0.1:${port}`)
    const before = await harness.waitFor(place.instanceId, 'installed', ({ install }) => install.state === 'done')

    child?.kill('SIGKILL')
    harness.changes.length = 0
    // The other api process, this one, sees the silence.
    await harness.waitFor(place.instanceId, 'seen to be gone', ({ connected }) => !connected)
    await until('the change is published', () =>
      harness.changes.some(({ instanceId }) => instanceId === place.instanceId),
    )

    child = await harness.startApiProcess(port)
    const after = await harness.waitFor(place.instanceId, 'back', ({ connected }) => connected)
    expect(after).toMatchObject({
      bootId: before.bootId,
      install: before.install,
      oneTimePassword: before.oneTimePassword,
    })
  })
})

import { statSync } from 'node:fs'
import { createCluster, InstallLog } from '@atoll/contract/clusters'
import { listInstances, type ServerProcess, startServer, until } from '@atoll/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { composeOrder, createRunningCluster, waitForStatus } from '../stack/clusters.ts'
import { expectSound } from '../stack/faults/soundness.ts'
import { createPerson } from '../stack/people.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.dispose())

it('resumes an install whose agent was killed, again and again, at the unfinished step', async () => {
  const { api } = await createPerson(server.url)
  const { clusterId } = await api.ask(createCluster, await composeOrder(api))
  const killed = new Set<number>()
  for (let kills = 0; kills < 3; kills += 1) {
    await until(
      'an agent that was not killed yet runs',
      () => {
        const agent = listInstances(server.dataDir).find((candidate) => !killed.has(candidate.pid))
        if (!agent) return false
        process.kill(agent.pid, 'SIGKILL')
        killed.add(agent.pid)
        return true
      },
      // Unlike intervals, so that the kills meet different moments of the start and of the install.
      { intervalMs: 10 + kills * 170 },
    )
  }
  const cluster = await waitForStatus(api, clusterId, ['inactivated'])
  const steps = InstallLog.parse(JSON.parse(cluster.installLog))
  expect(steps.length).toBeGreaterThan(0)
  expect(steps.filter((step) => step.state !== 'done')).toEqual([])
  await expectSound(server, api, { instances: [{ instanceId: cluster.instanceId, running: true }] })
})

it('brings back the agent of a running cluster, as the same instance', async () => {
  const { api } = await createPerson(server.url)
  const { clusterId, instanceId } = await createRunningCluster(api)
  const agentOf = () => listInstances(server.dataDir).filter((agent) => agent.instanceId === instanceId)
  const [before] = agentOf()
  if (!before) throw new Error('the running cluster has no agent')
  process.kill(before.pid, 'SIGKILL')
  await until('another agent process runs', () => agentOf().some((agent) => agent.pid !== before.pid))
  await waitForStatus(api, clusterId, ['inactivated'])
  expect(agentOf()).toHaveLength(1)
})

const isRoot = process.getuid?.() === 0
it.skipIf(!isRoot)('runs no agent as root, whose servers need not be (skipped: only root can start as another)', () => {
  const agents = listInstances(server.dataDir)
  expect(agents.length).toBeGreaterThan(0)
  expect(server.log.filter((line) => line.includes('run as root'))).toEqual([])
  for (const { pid, home } of agents) {
    expect(statSync(`/proc/${pid}`).uid).not.toBe(0)
    expect(statSync(home)).toMatchObject({ uid: statSync(`/proc/${pid}`).uid })
  }
})

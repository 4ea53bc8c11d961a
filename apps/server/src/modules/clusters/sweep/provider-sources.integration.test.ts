/** A provider is asked after each start whether it knows more than the database, before anything there is swept. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCareful, findDoubt, listDoubts, raiseStartDoubts } from '../../../platform/careful/index.ts'
import { getDeployment } from '../../../platform/facts/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { checkSources } from '../../../platform/sources/index.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { testSpec } from '../../compute/testing/provider-conformance.ts'
import { type ClusterHarness, createClusterHarness } from '../testing/cluster-harness.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { providerSources } from './provider-sources.ts'
import { clusterSweep } from './sweep.ts'

const instances: MemoryHarness = new Map()
const provider = createMemoryProvider(instances)
let isAway = false
const { claims } = provider
if (!claims) throw new Error('a provider of instances keeps claims')
const read: typeof claims.read = async () => (isAway ? Promise.reject(new Error('it is away')) : claims.read())
let harness: ClusterHarness
let deployment: string

beforeAll(async () => {
  harness = await createClusterHarness({
    provider: { ...provider, claims: { ...claims, read } },
    agents: simulateAgents(new Map()),
  })
  deployment = await getDeployment(harness.db)
})
afterAll(() => harness[Symbol.asyncDispose]())

const source = 'provider process'
const start = async () => {
  const { db, clock } = harness.deps
  const checks = providerSources(harness.deps)
  await raiseStartDoubts(
    db,
    checks.map((check) => check.source),
    clock.now(),
  )
  return { ask: () => checkSources({ db, clock, log: silentLog, checks }) }
}
const sweep = () => clusterSweep(harness.deps).run({}, harness.jobContext())
const spec = (instanceId: string) => ({ ...testSpec(), instanceId, deployment })
const stateOf = async (id: string) => (await provider.inspect(id)).state

test('where nothing was ever made there is no claim to wait for, and none is left', async () => {
  const { ask } = await start()
  await ask()
  expect(await listDoubts(harness.db)).toEqual([])
  expect(await claims.read()).toBeUndefined()
})

test('strays wait for their provider, and the words say for which one', async () => {
  await provider.ensureInstance(spec('in_stray'))
  await claims.write({ deployment, number: 0 })
  const { ask } = await start()
  await sweep()
  expect(await stateOf('in_stray')).toBe('running')
  isAway = true
  await ask()
  expect(await findDoubt(harness.db, source)).toMatchObject({ why: 'it is away' })
  isAway = false
  await ask()
  await sweep()
  expect(await stateOf('in_stray')).toBe('stopped')
})

test('one that is behind is careful at the start, before any sweep; of another deployment is said', async () => {
  const known = await claims.read()
  await claims.write({ deployment, number: (known?.number ?? 0) + 5 })
  const { ask } = await start()
  await ask()
  expect((await findCareful(harness.db))?.why).toContain('"process" knows number')
  await provider.ensureInstance(spec('in_newer'))
  await sweep()
  expect(await stateOf('in_newer')).toBe('running')
  await claims.write({ deployment: 'somebody-else', number: 1 })
  await (await start()).ask()
  expect(await findDoubt(harness.db, source)).toMatchObject({ why: expect.stringContaining('another deployment') })
})

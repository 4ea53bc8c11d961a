import { errorCatalogue } from '@atoll/contract/api'
import {
  clusterActivation,
  clusterMonitor,
  clusterRestart,
  clusterRetry,
  clusterStart,
  clusterStop,
  clusterUsage,
  createCluster,
  destroyMaster,
  instanceDetails,
  resourceList,
} from '@atoll/contract/clusters'
import { type Call, codes } from '@atoll/contract/wire'
import { createScriptedWallet, type ServerProcess, startServer } from '@atoll/testkit'
import { errorMessage } from '@atoll/texts/refusals'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeOrder, createRunningCluster } from '../stack/clusters.ts'
import { createPerson, freshName, type Person } from '../stack/people.ts'

let server: ServerProcess
let owner: Person
let stranger: Person
let clusterId: string

beforeAll(async () => {
  server = await startServer()
  owner = await createPerson(server.url)
  stranger = await createPerson(server.url)
  clusterId = (await createRunningCluster(owner.api)).clusterId
})
afterAll(() => server?.dispose())

const absentId = 'cl_aaaaaaaaaaaaaaaaaaaa'

describe("someone else's cluster", () => {
  const table: { call: Call; extra?: Record<string, unknown> }[] = [
    { call: instanceDetails },
    { call: clusterUsage },
    { call: clusterMonitor },
    { call: clusterActivation },
    { call: clusterStart },
    { call: clusterStop },
    { call: clusterRestart },
    { call: clusterRetry },
    { call: destroyMaster, extra: { confirm: true } },
  ]
  it.each(table)('answers $call.name as a missing one does', async ({ call, extra }) => {
    const theirs = await stranger.api.send(call, { clusterId, ...extra })
    const missing = await stranger.api.send(call, { clusterId: absentId, ...extra })
    expect(theirs).toEqual(missing)
    expect(theirs.code).toBe(codes.notFound)
  })

  it('is not listed', async () => {
    expect(await stranger.api.ask(resourceList, {})).toEqual([])
    expect(await stranger.api.ask(resourceList, { clusterUserid: owner.session.userid })).toEqual([])
  })
})

describe('an order that does not fit', () => {
  it('is refused without an ID', async () => {
    const { api } = await createPerson(server.url, { name: null })
    const answer = await api.send(createCluster, await composeOrder(api))
    expect(answer.code).toBe(errorCatalogue.idNotBound.code)
  })

  it('is refused under a name that is taken', async () => {
    const [cluster] = await owner.api.ask(resourceList, {})
    const name = cluster?.name ?? ''
    const answer = await owner.api.send(createCluster, await composeOrder(owner.api, { name }))
    expect(answer).toMatchObject({ code: codes.conflict, message: expect.stringContaining(name) })
  })

  it('is refused when the same key came with another body', async () => {
    await using small = await startServer({ env: { ATOLL_VCPU_QUOTA: '1000' } })
    const { api } = await createPerson(small.url)
    const order = await composeOrder(api, { name: 'first', requestId: 'key-for-one-order' })
    await api.ask(createCluster, order)
    const answer = await api.send(createCluster, { ...order, name: 'second' })
    expect(answer).toMatchObject({ code: codes.conflict, message: errorMessage('requestIdReused', 'en-US') })
  })

  it('is refused when it passes the quota, or when creating is not allowed', async () => {
    await using strict = await startServer({ env: { ATOLL_VCPU_QUOTA: '0' } })
    const limited = await createPerson(strict.url)
    const beyond = await limited.api.send(createCluster, await composeOrder(limited.api))
    expect(beyond).toMatchObject({
      code: errorCatalogue.vCpuQuotaPassed.code,
      message: expect.stringContaining('0 vCPU'),
    })
    await strict.dispose()
    await using closed = await startServer({ env: { ATOLL_CAN_CREATE_CLUSTER: 'false' } })
    const barred = await createPerson(closed.url)
    expect(await barred.api.send(createCluster, await composeOrder(barred.api))).toMatchObject({
      code: errorCatalogue.createNotPermitted.code,
      message: errorMessage('createNotPermitted', 'en-US', { product: 'Atoll' }),
    })
  })

  it('is refused for an action that the status does not allow', async () => {
    const answer = await owner.api.send(clusterStart, { clusterId })
    expect(answer.code).toBe(codes.conflict)
  })
})

describe('names', () => {
  const table = [
    ['a@atoll.test', 'nameMalformed'],
    ['Reef@atoll.test', 'nameMalformed'],
    ['re ef@atoll.test', 'nameMalformed'],
    ['re-ef@atoll.test', 'nameMalformed'],
    [`${'x'.repeat(64)}@atoll.test`, 'nameMalformed'],
    ['reef', 'nameMalformed'],
    ['reef@@atoll.test', 'nameMalformed'],
    ['reef@example.com', 'nameDomain'],
    ['admin@atoll.test', 'nameReserved'],
  ] as const
  it.each(table)('%s is refused: %s', async (name, refusal) => {
    const wallet = createScriptedWallet()
    await wallet.register(server.url)
    const answer = await wallet.bindName(server.url, name)
    expect(answer.code).toBe(errorCatalogue[refusal].code)
    expect(answer.message).toContain(errorMessage(refusal, 'en-US').split('{')[0])
  })

  it('cannot be bound with an old signature or by someone unregistered', async () => {
    const wallet = createScriptedWallet()
    expect((await wallet.bindName(server.url, freshName())).code).toBe(errorCatalogue.didUnknown.code)
    await wallet.register(server.url)
    expect((await wallet.bindName(server.url, freshName(), Date.now() - 10 * 60_000)).code).not.toBe(0)
  })

  it.each([
    ['/1.0/identifiers/did:key:nonsense', 400, 'invalidDid'],
    ['/1.0/identifiers/did:web:example.com', 501, 'methodNotSupported'],
    ['/1.0/name/nobody.atoll.test', 404, 'notFound'],
    ['/1.0/identifiers/did%3Akey%3Az6Mk', 400, 'invalidDid'],
  ])('%s answers %i %s as a DIF resolver', async (path, status, error) => {
    const response = await fetch(server.url + path)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ didResolutionMetadata: { error } })
  })
})

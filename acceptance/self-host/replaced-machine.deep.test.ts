/**
 * A self-hosted cluster whose machine died: another one takes its place with the files of its backup, and the old one,
 * back again, serves nobody and says why; then the disk of the new one is copied, and the owner chooses. Machines in
 * networks of their own; what is compared is bytes.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { backupDetail, backupRestoring, backupUnlock } from '@atoll/contract/backups'
import { clusterChooseMachine, clusterReplaceMachine, createCluster } from '@atoll/contract/clusters'
import {
  chooseServerPorts,
  makeOwnMachine,
  type OwnMachine,
  type ServerProcess,
  startServer,
  until,
  whyNoOwnMachine,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealPassword } from '../../apps/console/src/backups/seal-password.ts'
import { backUp, needRestic } from '../stack/backups.ts'
import { findCluster, waitForStatus } from '../stack/clusters.ts'
import { visit } from '../stack/lxd-cloud.ts'
import { createPerson } from '../stack/people.ts'

const whyNot = whyNoOwnMachine()
if (whyNot) process.stdout.write(`SKIPPED  machines in networks of their own: ${whyNot}\n`)

const password = 'two lamps on the far pier'
/** Agent and restic start first, on a machine that may be busy. */
const patience = { timeoutMs: 120_000 }
let server: ServerProcess
const machines: OwnMachine[] = []

beforeAll(async () => {
  if (whyNot) return
  const [restic, first, ports] = await Promise.all([needRestic(), makeOwnMachine(), chooseServerPorts()])
  machines.push(first, await makeOwnMachine({ beside: first }), await makeOwnMachine({ beside: first }))
  server = await startServer({
    env: {
      // Machines come over their own wires.
      ATOLL_HOST: '0.0.0.0',
      ATOLL_ENROLL_URL: `http://${first.serverAddress}:${ports.console}`,
      ATOLL_VAULT_URL: `http://${first.serverAddress}:${ports.vault}`,
      ATOLL_SELF_HOST_SILENCE_SECONDS: '3',
      RESTIC: restic,
    },
    ports,
  })
})
afterAll(async () => {
  await server?.dispose()
  for (const machine of machines) await machine[Symbol.asyncDispose]()
})

const home = ({ folder }: OwnMachine, ...names: string[]) => join(folder, 'atoll', 'home', ...names)
const logOf = ({ folder }: OwnMachine) => readFileSync(join(folder, 'atoll', 'agent.log'), 'utf8')

describe.skipIf(whyNot)('a self-hosted cluster whose machine died', () => {
  let person: Awaited<ReturnType<typeof createPerson>>
  let clusterId: string

  it('goes on with its files on another one, and the old one, back again, is refused and says why', async () => {
    const [old, fresh] = machines as [OwnMachine, OwnMachine] // made above
    person = await createPerson(server.url)
    const { api } = person
    const ordered = await api.ask(createCluster, { clusterType: 'SelfHost', name: 'Cove', reverseProxy: 'frp' })
    const { command = '' } = ordered
    clusterId = ordered.clusterId
    await old.run(command)
    const before = await waitForStatus(api, clusterId, ['inactivated'])
    mkdirSync(home(old, 'drive'), { recursive: true })
    writeFileSync(home(old, 'drive', 'reef.txt'), 'Here be corals')
    const backupId = await backUp(api, clusterId, password)
    const backup = async () => (await api.ask(backupDetail, { backupId })).backup
    await until('the snapshot is there', async () => (await backup()).lastCompletedAt !== null, {
      ...patience,
      onTimeout: () => logOf(old),
    })
    await old.cutPower()
    await waitForStatus(api, clusterId, ['offline'])

    const replacing = await api.ask(clusterReplaceMachine, { clusterId, restore: { backupId } })
    await fresh.run(replacing.command)
    const restoring = await until(
      'the new machine reports its key',
      async () => {
        const { restoring: now } = await api.ask(backupRestoring, { clusterId })
        return now?.key ? { ...now, key: now.key } : undefined
      },
      patience,
    )
    const box = await sealPassword(password, restoring.key)
    await api.ask(backupUnlock, { clusterId, backupId, box })
    const after = await waitForStatus(api, clusterId, ['inactivated'], patience.timeoutMs)
    expect(readFileSync(home(fresh, 'drive', 'reef.txt'), 'utf8')).toBe('Here be corals')
    expect(after.instanceId).not.toBe(before.instanceId)
    expect(after).toMatchObject({ name: 'Cove', url: before.url, givenUpAt: null })
    expect(await backup()).toMatchObject({ clusterId, needsPassword: false })
    const visitors = async () => (await visit(server, after.url ?? '', { path: '/api/status' })).status
    await until('visitors get to the new machine', async () => (await visitors()) === 200, patience)

    // Its disk is as it was, and its network too.
    await old.run(command)
    await until('it says why', () => logOf(old).includes('has taken the place of this one'), patience)
    await until('its identity is gone', () => !existsSync(home(old, 'agent.json')), patience)
    const { port } = JSON.parse(readFileSync(home(old, 'run.json'), 'utf8'))
    const page = await old.run(`curl -s -w ' %{http_code}' http://127.0.0.1:${port}/api/session`)
    expect(page).toMatch(/"code":"machineReplaced".* 503$/)
    expect(readFileSync(home(old, 'drive', 'reef.txt'), 'utf8'), 'nothing on it is deleted').toBe('Here be corals')
    expect(await visitors()).toBe(200)
    expect((await waitForStatus(api, clusterId, ['inactivated'])).instanceId).toBe(after.instanceId)
  })

  it('whose disk is copied then goes on where it was first, and on the copy once its owner says so', async () => {
    const [, fresh, copy] = machines as [OwnMachine, OwnMachine, OwnMachine] // made above
    const { api } = person
    const { url } = await waitForStatus(api, clusterId, ['inactivated'])
    // Over the edge and the relay: which boot visitors get to.
    const served = async () =>
      (await visit(server, url ?? '', { path: '/api/health' })).json as { bootId?: string } | undefined
    const bootOf = (machine: OwnMachine) => JSON.parse(readFileSync(home(machine, 'run.json'), 'utf8')).bootId as string
    const isServed = async (machine: OwnMachine) => (await served())?.bootId === bootOf(machine)
    cpSync(join(fresh.folder, 'atoll'), join(copy.folder, 'atoll'), { recursive: true })
    const [from, to] = [fresh.folder, copy.folder]
    await copy.run(`cd ${to}/atoll && sed -i 's#${from}#${to}#g' agent.env run.sh && rm agent.pid`)
    await copy.run(`cd ${to}/atoll && (setsid sh run.sh </dev/null >/dev/null 2>&1 &)`)
    await until('the copy says why', () => logOf(copy).includes('runs with a copy of this disk'), patience)
    await until('visitors get to the first', async () => await isServed(fresh), patience)
    const copied = await until('the owner is shown both', async () => {
      const [known] = (await findCluster(api, clusterId))?.copies ?? []
      return known
    })
    expect(copied).toMatchObject({
      name: 'master',
      isAnswered: false,
      serving: { bootId: bootOf(fresh), hostName: hostname() },
      refused: [{ bootId: bootOf(copy), hostName: hostname() }],
    })

    const { instanceId } = copied
    await api.ask(clusterChooseMachine, { clusterId, instanceId, bootId: bootOf(copy) })
    await until('visitors get to the chosen one', async () => await isServed(copy), patience)
    await until('the first says why', () => logOf(fresh).includes('runs with a copy of this disk'), patience)
    expect((await findCluster(api, clusterId))?.copies).toMatchObject([{ isAnswered: true }])
  })
})

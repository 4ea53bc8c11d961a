/** Backups from end to end but for the vault: asked for here, made by a real agent with a real restic. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BackupKey, BackupProgress, type TaskEnd, taskEnds, taskKinds } from '@atoll/contract/agents'
import { findFreePorts, until } from '@atoll/testkit'
import { CompactEncrypt, importJWK } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureResticOf, ensureRestServer } from '../../../../../../scripts/programs/restic.ts'
import type { AgentTask } from '../index.ts'
import { type AgentHarness, createAgentHarness } from '../testing/agent-harness.ts'

const password = 'a long enough pass phrase'
const changes: AgentTask[] = []
let harness: AgentHarness
let server: ChildProcess
let origin: string
let restic: string

beforeAll(async () => {
  harness = await createAgentHarness({ onTaskChange: async (_, __, task) => void changes.push(task) })
  const [program, resticProgram] = [await ensureRestServer(), await ensureResticOf('trixie')]
  if (!program || !resticProgram) throw new Error('Debian’s restic and restic-rest-server could not be fetched')
  restic = resticProgram
  const [port = 0] = await findFreePorts(1)
  origin = `http://127.0.0.1:${port}`
  const folder = join(harness.folder, 'repositories')
  mkdirSync(folder)
  server = spawn(program, ['--path', folder, '--listen', `127.0.0.1:${port}`, '--no-auth'], { stdio: 'ignore' })
  await until('the server answers', async () => (await fetch(origin).catch(() => undefined)) !== undefined)
})
afterAll(async () => {
  server.kill('SIGKILL')
  await harness.killAgents()
  await harness.close()
})

async function seal(key: BackupKey): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(password))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
    .encrypt(await importJWK({ ...key }, 'ECDH-ES'))
}

test('an agent says with what it makes backups, runs one with progress, goes on after a kill, and cancels', async () => {
  const place = harness.newInstance()
  const { instanceId } = place
  const token = await harness.issue(place)
  const start = () => harness.start(instanceId, token, harness.api.origin, { ATOLL_AGENT_RESTIC: restic })
  const first = start()
  const { backups } = await harness.waitFor(instanceId, 'restic', (row) => row.backups?.restic === '0.18.0')
  if (!backups) throw new Error('no backups')
  const drive = join(harness.folder, instanceId, 'drive')
  for (let at = 0; at < 50; at += 1) writeFileSync(join(drive, `${at}`), Buffer.alloc(400_000, at))

  const repository = { url: `${origin}/vr_1/`, grantId: 'gr_1', token: 'the-token-of-a-grant' }
  const common = { repository, backupId: 'bk_backup00001', paths: ['/'], first: true }
  const ask = async (taskId: string, box?: string) =>
    await harness.trx((trx) =>
      harness.api.agents.requestTask(trx, taskKinds['backup.run'], {
        taskId,
        instanceId,
        params: { ...common, ...(box && { box }) },
      }),
    )
  const find = async (taskId: string) => (await harness.api.agents.listTasks(harness.db, [taskId]))[0]
  const end = (taskId: string) =>
    until('its end', async () => {
      const task = await find(taskId)
      return taskEnds.includes(task?.state as TaskEnd) ? task : undefined
    })

  await ask('at_first', await seal(backups.key))
  await until('it runs', async () => (await find('at_first'))?.state === 'running')
  await first.kill('SIGKILL')
  const second = start()
  expect(await end('at_first')).toMatchObject({ state: 'done', params: {}, result: { outcome: 'done', files: 50 } })
  const reported = changes.flatMap(({ id, progress }) => (id === 'at_first' && progress ? [progress] : []))
  for (const progress of reported) expect(BackupProgress.parse(progress)).toEqual(progress)

  // The schedule's next: the password is known there by now.
  await ask('at_second')
  await ask('at_third')
  await harness.trx((trx) => harness.api.agents.cancelTask(trx, 'at_third'))
  expect(await end('at_second')).toMatchObject({ result: { outcome: 'done', files: 50, unreadFiles: 0 } })
  expect(await end('at_third')).toMatchObject({ state: 'canceled' })
  for (const secret of [password, repository.token]) {
    expect(first.log() + second.log()).not.toContain(secret)
    const rows = JSON.stringify(await harness.db.selectFrom('agent_tasks').selectAll().execute())
    expect(rows).not.toContain(secret)
  }
})

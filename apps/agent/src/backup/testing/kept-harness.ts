/** A personal server whose drive has been backed up, and a control plane that says so. */
import http from 'node:http'
import { type KeptBackups, RunResult } from '@atoll/contract/agents'
import { type ActiveAgent, startActiveAgent } from '../../testing/active-agent.ts'
import { type BackupHarness, backupId, createBackupHarness, sealFor, startProxy } from './backup-harness.ts'

export type KeptHarness = Awaited<ReturnType<typeof openKeptHarness>>

/** `fill` makes the drive; `program` runs in place of restic once the backup is made. */
export async function openKeptHarness(
  restic: string,
  fill: (drive: string) => Promise<void>,
  program: (harness: BackupHarness, snapshotId: string) => Promise<string> = async () => restic,
) {
  const harness = await createBackupHarness(restic)
  await fill(harness.home.drive)
  const box = await sealFor(harness.backups.publicKey)
  const params = { repository: harness.repository('kept'), backupId, paths: ['/'], first: true, box }
  const made = RunResult.parse(await harness.ask('backup.run', params))
  if (made.outcome !== 'done') throw new Error(`no backup was made: ${JSON.stringify(made)}`)
  const asked: string[] = []
  /** Answers in place of the vault; undefined: the vault does. */
  const vault = { answer: (): number | undefined => undefined }
  const proxy = await startProxy(harness.origin, async (req) => {
    asked.push(`${req.method} ${req.url}`)
    return vault.answer()
  })
  const { snapshotId, files, bytes } = made
  const snapshots = [{ snapshotId, files, bytes, at: '2026-11-23T12:00:00.000Z' }]
  const control = await startControl([{ backupId, name: 'Everything', snapshots }], () =>
    harness.repository('kept', proxy.origin),
  )
  const server: ActiveAgent = await startActiveAgent({
    in: harness.home.folder,
    environment: {
      ATOLL_AGENT_CONTROL_URL: control.origin,
      ATOLL_AGENT_RESTIC: await program(harness, snapshotId),
    },
  })
  return {
    harness,
    server,
    control,
    vault,
    snapshotId,
    drive: harness.home.drive,
    /** Requests to the vault since the start, as `METHOD /path`. */
    asked,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      control.stop()
      proxy.stop()
      await harness[Symbol.asyncDispose]()
    },
  }
}

type Granted = ReturnType<BackupHarness['repository']>

async function startControl(kept: KeptBackups, grant: () => Granted) {
  /** `isAway`: it answers nobody. `grants`: how many it gave. */
  const state = { kept, isAway: false, grants: 0, bodies: [] as string[] }
  const answers: Record<string, () => object> = {
    '/v1/agent/enroll': () => ({ clusterId: 'cl_testtest', instanceId: 'in_testtest' }),
    '/v1/agent/backups': () => ({ backups: state.kept }),
    '/v1/agent/backups/grant': () => {
      state.grants += 1
      return { repository: grant(), until: Date.now() + 3600_000 }
    },
  }
  const server = http.createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    state.bodies.push(body)
    const data = answers[req.url ?? '']?.()
    if (state.isAway || !data) return void res.writeHead(503).end()
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ code: 200, message: '', data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return Object.assign(state, {
    origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  })
}

/** Where restic puts backups to be compared: the vault as a process of its own, restic's own server, a folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePorts } from '@atoll/testkit'
import type { Vault } from '../../apps/server/src/modules/vault/index.ts'
import { restServer } from '../../apps/server/src/modules/vault/testing/restic-programs.ts'
import type { VaultHarness } from '../../apps/server/src/modules/vault/testing/vault-harness.ts'
import { newId } from '../../apps/server/src/platform/crypto.ts'
import type { Db } from '../../apps/server/src/platform/db/index.ts'

export interface Opened {
  /** As restic takes it. */
  repository: string
  /** Where its bytes are. */
  folder: string
}

export interface Place {
  name: 'vault' | "restic's server" | 'folder'
  /** The process that takes the bytes; undefined: restic alone. */
  pid: number | undefined
  /** A repository that is not there yet. */
  open(): Promise<Opened>
}

/** A vault that takes all it is sent. */
export async function startVault(url: string, folder: string): Promise<{ child: ChildProcess; port: number }> {
  const program = new URL('../../apps/server/src/modules/vault/vault-process.fixture.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, url, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, port: Number(port) }
}

export interface Rows {
  db: Db
  /** Gives rights, and answers nothing. */
  vault: Vault
  harness: VaultHarness
}

/** Another repository of the desk's account, and how it is reached at this port. */
export async function openInVault({ db, vault, harness }: Rows, port: number) {
  const until = new Date(Date.now() + 3600_000)
  const granted = await db.transaction().execute(async (trx) => {
    const { repositoryId } = await vault.openRepository(trx, {
      accountId: harness.userid,
      clusterId: harness.clusterId,
    })
    const grant = await vault.grant(trx, { repositoryId, right: 'write', taskId: newId('at'), until })
    return { repositoryId, ...grant }
  })
  const { repositoryId, grantId, token } = granted
  return { repositoryId, grantId, token, url: `http://127.0.0.1:${port}/${repositoryId}/` }
}

export async function startRestServer(folder: string): Promise<{ child: ChildProcess; port: number }> {
  if (restServer === undefined) throw new Error('There is no restic-rest-server')
  const [port = 0] = await findFreePorts(1)
  const args = ['--no-auth', '--append-only', '--path', folder, '--listen', `127.0.0.1:${port}`]
  const child = spawn(restServer, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`restic-rest-server ended with ${code}`)))
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        if (/start server on|listening/i.test(line)) resolve()
      })
  })
  return { child, port }
}

/** Three places below `folder`, the vault's files in `vaultFolder`. */
export function placesOf(
  { folder, vaultFolder }: { folder: string; vaultFolder: string },
  vault: { child: ChildProcess; port: number; rows: Rows },
  rest: { child: ChildProcess; port: number },
): Place[] {
  let count = 0
  const local = join(folder, 'local')
  mkdirSync(local, { recursive: true })
  return [
    {
      name: 'vault',
      pid: vault.child.pid,
      async open() {
        const { repositoryId, grantId, token } = await openInVault(vault.rows, vault.port)
        const repository = `rest:http://${grantId}:${token}@127.0.0.1:${vault.port}/${repositoryId}/`
        return { repository, folder: join(vaultFolder, repositoryId) }
      },
    },
    {
      name: "restic's server",
      pid: rest.child.pid,
      async open() {
        count += 1
        const repository = `rest:http://127.0.0.1:${rest.port}/r${count}/`
        return { repository, folder: join(folder, 'rest', `r${count}`) }
      },
    },
    {
      name: 'folder',
      pid: undefined,
      async open() {
        count += 1
        const path = join(local, `r${count}`)
        return { repository: path, folder: path }
      },
    },
  ]
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

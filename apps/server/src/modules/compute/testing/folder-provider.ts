/**
 * A provider whose instances are files of one folder, so that several processes of a test see the same ones and a
 * killed one leaves exactly what it did. An instance is a file, written at once (rename); nothing runs.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Claim } from '../../../platform/careful/index.ts'
import { absent, type ComputeProvider, type Observed, ProviderError } from '../provider/compute-provider.ts'

export interface FolderInstance {
  instanceId: string
  deployment: string
  state: 'running' | 'stopped' | 'failed'
  /** How often it was booted. */
  boots: number
  /** The machine that it was placed on or moved to. */
  member?: string
}

const address = { host: '127.0.0.1', port: 40_000 }

/** The instance as its file has it; undefined when there is none. */
export function readInstance(folder: string, instanceId: string): FolderInstance | undefined {
  return readFile(join(folder, `${instanceId}.json`))
}

function readFile<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Ids of all instances in `folder`, whosever they are. */
export function listFolder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
}

let drafts = 0

export function writeInstance(folder: string, instance: FolderInstance): void {
  writeWhole(folder, `${instance.instanceId}.json`, instance)
}

function writeWhole(folder: string, name: string, content: object): void {
  drafts += 1
  const draft = join(folder, `${name}.${process.pid}.${drafts}`)
  writeFileSync(draft, JSON.stringify(content))
  renameSync(draft, join(folder, name))
}

/** At once, like all of this provider: callers of tests have little patience. */
function readClaim(folder: string): Claim | undefined {
  return readFile(join(folder, 'claim'))
}

export function createFolderProvider(folder: string): ComputeProvider {
  mkdirSync(folder, { recursive: true })

  function get(instanceId: string): FolderInstance {
    const instance = readInstance(folder, instanceId)
    if (!instance) throw new ProviderError('The instance does not exist', { retryable: false })
    return instance
  }
  function boot(instance: FolderInstance): void {
    writeInstance(folder, { ...instance, state: 'running', boots: instance.boots + 1 })
  }
  function observe(instanceId: string): Observed {
    const instance = readInstance(folder, instanceId)
    if (!instance) return absent
    const located = instance.member === undefined ? {} : { location: instance.member }
    if (instance.state === 'running') {
      return { ...located, state: 'running', address, reason: null, incarnation: `boot-${instance.boots}` }
    }
    return { ...absent, ...located, state: instance.state, reason: instance.state === 'failed' ? 'It crashed.' : null }
  }
  return {
    name: 'folder',
    async ensureInstance({ instanceId, deployment, member }) {
      if (readInstance(folder, instanceId)) return
      boot({ instanceId, deployment, state: 'stopped', boots: 0, ...(member !== null && { member }) })
    },
    async inspect(instanceId) {
      return observe(instanceId)
    },
    async start(instanceId) {
      const instance = get(instanceId)
      if (instance.state !== 'running') boot(instance)
    },
    async stop(instanceId) {
      writeInstance(folder, { ...get(instanceId), state: 'stopped' })
    },
    async restart(instanceId, from) {
      const instance = get(instanceId)
      if (instance.state === 'running' && observe(instanceId).incarnation !== from) return
      boot(instance)
    },
    async move(instanceId, member) {
      const instance = get(instanceId)
      const moved = { ...instance, member }
      if (instance.state === 'stopped') writeInstance(folder, moved)
      else if (instance.member !== member || instance.state === 'failed') boot(moved)
    },
    async destroy(instanceId) {
      rmSync(join(folder, `${instanceId}.json`), { force: true })
    },
    async list(deployment) {
      return listFolder(folder).filter((id) => readInstance(folder, id)?.deployment === deployment)
    },
    claims: {
      read: async () => readClaim(folder),
      async write(claim) {
        const before = readClaim(folder)
        if (before?.deployment !== claim.deployment || before.number < claim.number) writeWhole(folder, 'claim', claim)
      },
    },
    async usage(instanceId) {
      const isRunning = readInstance(folder, instanceId)?.state === 'running'
      return isRunning ? { cpuSeconds: 1, memoryUsed: 1024 } : undefined
    },
  }
}

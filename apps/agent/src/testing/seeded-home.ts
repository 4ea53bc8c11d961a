/** Homes as earlier runs leave them, for tests that need no control plane. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstallStep } from '@atoll/contract/clusters'
import type { Config, State } from '../kernel/state-store.ts'

export const steps = ['prepare', 'fetch', 'services', 'network', 'handover']
export const config: Config = {
  clusterId: 'cl_testtest',
  instanceId: 'in_testtest',
  clusterName: 'Reef',
  owner: { did: 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2', terminusName: 'reef@atoll.test' },
  publicUrl: 'http://reef.atoll.test',
  product: 'Atoll',
  consoleUrl: 'https://console.atoll.test/cluster/cl_testtest',
}

export interface TestFolder extends AsyncDisposable {
  path: string
}

export async function createTestFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'atoll-agent-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** A state before any install, with `change` over it. */
export function stateWith(change: Partial<State>): State {
  return {
    install: { state: 'waiting', taskId: null, reason: null, steps: [] },
    release: null,
    handoverNonce: null,
    rotatedTask: null,
    account: null,
    refusal: null,
    config: null,
    ...change,
  }
}

/** An install that was requested and has not begun. */
export function acceptedInstall(names: readonly string[] = steps): Partial<State> {
  const pending = (step: string): InstallStep => ({ step, state: 'pending', startedAt: null, endedAt: null, lines: [] })
  return {
    install: { state: 'running', taskId: 'op_test', reason: null, steps: names.map(pending) },
    release: { version: '1.0.0', steps: [...names] },
  }
}

export async function seedHome(home: string, state: State): Promise<void> {
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'state.json'), JSON.stringify(state))
}

/** An agent that is enrolled with a control plane that nobody answers for. */
export const unlinkedEnvironment = {
  ATOLL_AGENT_CONTROL_URL: 'http://127.0.0.1:9',
  ATOLL_AGENT_ENROLL_TOKEN: 'nobody-will-ever-ask-for-this-one',
}

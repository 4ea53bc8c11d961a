/**
 * Compute driver `lxd`: an instance is a container of an LXD, alone or a cluster. It keeps nothing itself: names come
 * from our ids; the wish (running, stopped) and the agent's environment are the container's configuration.
 *
 * Writers   any number of control planes at once; LXD orders what they ask of one instance, and each looks again.
 * Repeats   every change is asked as "make it so": already there, already stopped, already gone are success. An
 *           instance appears whole, its configuration with it; one that was made and never booted is booted by the next
 *           ensureInstance or start.
 * Members   one that does not answer makes its instances `unreachable`, never absent or failed: they may well run.
 */
import { z } from 'zod'
import type { Log } from '../../../../platform/log.ts'
import {
  absent,
  type ComputeProvider,
  type InstanceSpec,
  type Observed,
  ProviderError,
} from '../../compute-provider.ts'
import { Instance, InstanceGlance, LxdError } from './lxd-answers.ts'
import { createLxdClient, type LxdClient } from './lxd-client.ts'
import { ensureFoundation, findOwner, profileName } from './lxd-foundation.ts'
import { ensureImage } from './lxd-images.ts'
import {
  configOf,
  idOfName,
  nameOfInstance,
  neverRan,
  observe,
  unreachable,
  type Wanted,
  wantedKey,
} from './lxd-instances.ts'
import { chooseMember, listMembers } from './lxd-members.ts'
import type { LxdSettings } from './lxd-settings.ts'
import { watchLxd } from './lxd-watch.ts'

export interface LxdProviderOptions {
  settings: LxdSettings
  log: Log
  /** Members of each region of the cloud; undefined: LXD chooses. */
  membersOf(region: string): readonly string[] | undefined
  /** Folder with the image that `npm run image:build` made. */
  imageFolder: string
  /** How long an instance may take to shut down by itself when stopped, s; then it is killed. Default 10. */
  graceSeconds?: number
}

type Action = 'start' | 'stop' | 'restart'

/** An LXD driver; `close` ends its connections. */
export function createLxdProvider(options: LxdProviderOptions): ComputeProvider & { close(): Promise<void> } {
  const { settings, log, membersOf, imageFolder, graceSeconds = 10 } = options
  const { project, pool } = settings
  const client = createLxdClient(settings)
  const query = { project }
  const pathOf = (instanceId: string) => `/1.0/instances/${nameOfInstance(instanceId)}`

  async function find(instanceId: string): Promise<Instance | undefined> {
    return await client.find(pathOf(instanceId), Instance, { project, recursion: '1' })
  }

  async function get(instanceId: string): Promise<Instance> {
    const instance = await find(instanceId)
    if (!instance) throw new ProviderError('LXD has no such instance', { retryable: false })
    return instance
  }

  /** The member that holds an instance which cannot be asked for; undefined when that is not why. */
  async function findLostMember(instanceId: string): Promise<string | undefined> {
    // LXD knows of every instance where it is; only the member itself knows more.
    const glances = await client.get('/1.0/instances', z.array(InstanceGlance), { project, recursion: '1' })
    const glance = glances.find(({ name }) => name === nameOfInstance(instanceId))
    return glance?.status === 'Error' ? glance.location : undefined
  }

  async function inspect(instanceId: string): Promise<Observed> {
    try {
      const instance = await find(instanceId)
      return instance ? observe(instance) : absent
    } catch (error) {
      if (!(error instanceof LxdError)) throw error
      const member = await findLostMember(instanceId)
      if (member === undefined) throw error
      return unreachable(member)
    }
  }

  async function act(instanceId: string, action: Action, { force }: { force: boolean }): Promise<void> {
    const body = { action, force, timeout: force ? -1 : graceSeconds }
    try {
      const timeoutMs = 15_000
      await client.change('PUT', `${pathOf(instanceId)}/state`, { query, body, timeoutMs })
    } catch (error) {
      if (error instanceof LxdError && /already (running|stopped)/i.test(error.message)) return
      throw error
    }
  }

  /** Asked first, killed after the grace: an image that does not listen must not keep its instance running. */
  async function actOrForce(instanceId: string, action: 'stop' | 'restart'): Promise<void> {
    try {
      await act(instanceId, action, { force: false })
    } catch (error) {
      if (!(error instanceof LxdError)) throw error
      log.warn({ err: error, instanceId, action }, 'an instance did not end by itself')
      await act(instanceId, action, { force: true })
    }
  }

  async function want(instance: Instance, instanceId: string, wanted: Wanted): Promise<void> {
    if (instance.config[wantedKey] === wanted) return
    await client.change('PATCH', pathOf(instanceId), { query, body: { config: { [wantedKey]: wanted } } })
  }

  async function make(spec: InstanceSpec): Promise<void> {
    await ensureFoundation(client, settings, spec.deployment)
    const fingerprint = await ensureImage(client, { project, folder: imageFolder, image: spec.image })
    const target = await chooseMember(client, membersOf(spec.region))
    const body = {
      name: nameOfInstance(spec.instanceId),
      type: 'container',
      description: `Atoll cluster ${spec.clusterId}`,
      source: { type: 'image', fingerprint },
      profiles: [profileName],
      config: configOf(spec, settings.controlUrl ?? spec.controlUrl),
      // A pool that cannot limit leaves it to the agent, which is told the size as well.
      devices: { root: { type: 'disk', path: '/', pool, size: `${spec.diskMiB}MiB` } },
    }
    try {
      await client.change('POST', '/1.0/instances', { query: { project, target }, body })
    } catch (error) {
      if (!(error instanceof LxdError && error.isConflict)) throw error
    }
  }

  return {
    name: 'lxd',

    ensureInstance: (spec) =>
      explained(async () => {
        const before = await inspect(spec.instanceId)
        if (before.state === 'unreachable') return before
        if (before.state === 'absent') await make(spec)
        const made = await find(spec.instanceId)
        if (made?.status === 'Stopped' && made.config[wantedKey] === 'running' && neverRan(made)) {
          await act(spec.instanceId, 'start', { force: false })
        }
        return await inspect(spec.instanceId)
      }),

    inspect: (instanceId) => explained(() => inspect(instanceId)),

    start: (instanceId) =>
      explained(async () => {
        await want(await get(instanceId), instanceId, 'running')
        await act(instanceId, 'start', { force: false })
      }),

    stop: (instanceId) =>
      explained(async () => {
        const instance = await get(instanceId)
        await want(instance, instanceId, 'stopped')
        if (instance.status !== 'Stopped') await actOrForce(instanceId, 'stop')
      }),

    restart: (instanceId, from) =>
      explained(async () => {
        const instance = await get(instanceId)
        const { incarnation } = observe(instance)
        if (incarnation !== null && incarnation !== from) return
        await want(instance, instanceId, 'running')
        if (incarnation === from) await actOrForce(instanceId, 'restart')
        else await act(instanceId, 'start', { force: false })
      }),

    destroy: (instanceId) =>
      explained(async () => {
        const instance = await find(instanceId)
        if (!instance) return
        // Without it, a control plane that looks now would take the end for a failure and boot it again.
        await want(instance, instanceId, 'stopped')
        if (instance.status !== 'Stopped') await act(instanceId, 'stop', { force: true })
        await ignoreMissing(client.change('DELETE', pathOf(instanceId), { query }))
      }),

    list: (deployment) =>
      explained(async () => {
        // Names only, which LXD knows of lost members' instances, too; the project says whose they are.
        if ((await findOwner(client, project)) !== deployment) return []
        const paths = await client.get('/1.0/instances', z.array(z.string()), query)
        return paths.flatMap((path) => idOfName(path.split('?')[0]?.split('/').at(-1) ?? '') ?? [])
      }),

    usage: (instanceId) =>
      explained(async () => {
        const instance = await find(instanceId)
        if (instance?.status !== 'Running' || !instance.state) return undefined
        const { cpu, memory } = instance.state
        return { cpuSeconds: cpu.usage / 1e9, memoryUsed: memory.usage }
      }),

    watch: (onChange) => watchLxd(client, { project, log }, onChange),
    members: () => explained(() => listMembers(client)),
    giveUpMember: (name) => explained(() => giveUp(client, name)),
    close: () => client.close(),
  }
}

async function giveUp(client: LxdClient, name: string): Promise<void> {
  const member = (await listMembers(client)).find((candidate) => candidate.name === name)
  if (!member) return
  if (member.state !== 'lost') {
    const message = `"${name}" answers; move its instances away with "lxc cluster evacuate ${name}" instead`
    throw new ProviderError(message, { retryable: false })
  }
  await ignoreMissing(client.change('DELETE', `/1.0/cluster/members/${name}`, { query: { force: '1' } }))
}

async function ignoreMissing(change: Promise<void>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!(error instanceof LxdError && error.status === 404)) throw error
  }
}

/** LXD's errors in words for a person, with what asking again would change. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LxdError)) throw error
    if (error.status === 403) {
      throw new ProviderError(`LXD does not allow this: ${error.message}`, { retryable: false, cause: error })
    }
    if (/no space left|disk quota exceeded/i.test(error.message)) {
      throw new ProviderError('The storage pool of LXD is full', { retryable: false, cause: error })
    }
    throw new ProviderError(`LXD: ${error.message}`, { retryable: true, cause: error })
  }
}

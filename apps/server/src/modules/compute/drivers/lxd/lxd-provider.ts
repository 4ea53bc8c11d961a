/**
 * Compute driver `lxd`: an instance is a container of an LXD, alone or a cluster. It keeps nothing itself: names come
 * from our ids; the desired state (running, stopped) and the agent's environment are the container's configuration.
 *
 * Writers   any number of control planes at once; LXD orders what they ask of one instance, and each reads again.
 * Repeats   every change is asked as "make it so": already there, already stopped, already gone are success. An
 *           instance appears whole, its configuration with it; one that was made and never booted is booted by the next
 *           ensureInstance or start.
 * Members   one that does not answer makes its instances `unreachable`, never absent or failed: they may well run.
 *           `list` goes on naming them, so one that was given up meanwhile is destroyed when the member is back.
 */
import type { Log } from '../../../../platform/log.ts'
import type { LxdSettings } from '../../../catalog/index.ts'
import {
  absent,
  type ComputeProvider,
  type InstanceSpec,
  type Observed,
  ProviderError,
} from '../../provider/compute-provider.ts'
import { type Instance, LxdError } from './lxd-answers.ts'
import { readLxdCapacity } from './lxd-capacity.ts'
import { lxdClaims } from './lxd-claims.ts'
import { createLxdClient } from './lxd-client.ts'
import { createContainers, LostMember } from './lxd-containers.ts'
import { ensureFoundation, findOwner, nicOf, profileName } from './lxd-foundation.ts'
import { ensureImage } from './lxd-images.ts'
import { configOf, desiredKey, idOfName, nameOfInstance, neverRan, observe, unreachable } from './lxd-instances.ts'
import { chooseMember, isInService, isMigrating, isMoving } from './lxd-members.ts'
import { watchLxd } from './lxd-watch.ts'

export interface LxdProviderOptions {
  settings: LxdSettings
  log: Log
  /** Members of each region of the cloud; undefined: LXD chooses. */
  membersOf(region: string): readonly string[] | undefined
  /** Folder with the image that `npm run image:build` made. */
  imageFolder: string
  /** How long an instance may take to shut down when it is stopped, s; then it is killed. Default 10. */
  graceSeconds?: number
}

/** An LXD driver; `close` ends its connections. */
export function createLxdProvider(options: LxdProviderOptions): ComputeProvider & { close(): Promise<void> } {
  const { settings, log, membersOf, imageFolder, graceSeconds = 10 } = options
  const { project, pool, mailNetwork } = settings
  const client = createLxdClient(settings)
  const containers = createContainers(client, { project, graceSeconds, log })
  const claims = lxdClaims(client, project)
  /** The deployment whose project was made sure of: once is enough while all goes well. */
  let founded: string | undefined

  async function get(instanceId: string): Promise<Instance> {
    const container = await containers.find(nameOfInstance(instanceId))
    if (!container) throw new ProviderError('LXD has no such instance', { retryable: false })
    return container
  }

  async function inspect(instanceId: string): Promise<Observed> {
    const name = nameOfInstance(instanceId)
    const seen = await observeByName(name)
    const isCopied = endedStates.has(seen.state) && (await isMigrating(client, project, name))
    if (isCopied) return { ...absent, state: 'starting' }
    if (seen.state !== 'absent' && seen.state !== 'failed') return seen
    // First: once it is back in service, LXD says that it is restoring the member until all containers are started.
    const isServed = seen.location === undefined || (await isInService(client, seen.location))
    if (await isMoving(client, name, seen.location)) return { ...absent, state: 'starting' }
    // A move may have ended between the questions.
    const again = await observeByName(name)
    if (again.state !== 'failed' || again.location === undefined) return again
    return isServed ? again : unreachable(again.location)
  }

  async function observeByName(name: string): Promise<Observed> {
    try {
      const container = await containers.find(name)
      return container ? observe(container) : absent
    } catch (error) {
      if (error instanceof LostMember) return unreachable(error.member)
      throw error
    }
  }

  async function make(spec: InstanceSpec, name: string): Promise<void> {
    try {
      if (founded !== spec.deployment) await ensureFoundation(client, settings, spec.deployment)
      founded = spec.deployment
      await makeContainer(spec, name)
    } catch (error) {
      // Somebody may have removed it since it was made sure of.
      founded = undefined
      throw error
    }
  }

  async function makeContainer(spec: InstanceSpec, name: string): Promise<void> {
    const fingerprint = await ensureImage(client, { project, folder: imageFolder, image: spec.image })
    const container = {
      name,
      type: 'container',
      description: `Atoll cluster ${spec.clusterId}`,
      source: { type: 'image', fingerprint },
      profiles: [profileName],
      config: configOf(spec, settings.controlUrl ?? spec.controlUrl),
      // A pool that cannot limit leaves it to the agent, which is given the size as well.
      devices: {
        root: { type: 'disk', path: '/', pool, size: `${spec.diskMiB}MiB` },
        ...(mailNetwork !== undefined && { eth0: nicOf(settings, spec.maySendMail) }),
      },
    }
    await containers.make(container, await chooseMember(client, membersOf(spec.region), spec.member))
  }

  return {
    name: 'lxd',

    ensureInstance: (spec) =>
      explained(async () => {
        const { state } = await inspect(spec.instanceId)
        if (state === 'unreachable') return
        const name = nameOfInstance(spec.instanceId)
        if (state === 'absent') await make(spec, name)
        const made = await containers.find(name)
        if (made?.status === 'Stopped' && made.config[desiredKey] === 'running' && neverRan(made)) {
          await containers.start(made)
        }
      }),

    inspect: (instanceId) => explained(() => inspect(instanceId)),

    start: (instanceId) =>
      explained(async () => {
        const container = await get(instanceId)
        await containers.setDesired(container, 'running')
        await containers.start(container)
      }),

    stop: (instanceId) =>
      explained(async () => {
        const container = await get(instanceId)
        await containers.setDesired(container, 'stopped')
        if (container.status !== 'Stopped') await containers.stop(container.name)
      }),

    restart: (instanceId, from) =>
      explained(async () => {
        const container = await get(instanceId)
        const { incarnation } = observe(container)
        if (incarnation !== null && incarnation !== from) return
        await containers.setDesired(container, 'running')
        if (incarnation === from) await containers.restart(container.name)
        else await containers.start(container)
      }),

    move: (instanceId, member) =>
      explained(async () => {
        const container = await get(instanceId)
        if (container.location === 'none')
          throw new ProviderError('This LXD is no cluster: there is no other member', { retryable: false })
        if (container.location !== member) {
          // It stays desired to run: a control plane that is killed here leaves one that the next sees as failed.
          if (container.status !== 'Stopped') await containers.stop(container.name)
          await containers.move(container.name, member)
        }
        const moved = await get(instanceId)
        if (moved.config[desiredKey] === 'running' && moved.status !== 'Running') await containers.start(moved)
      }),

    destroy: (instanceId) => explained(() => containers.remove(nameOfInstance(instanceId))),

    allowMail: (instanceId, isAllowed) =>
      explained(async () => {
        const container = await get(instanceId)
        // One that never had a card of its own has the profile's, which an operator may have changed.
        if (mailNetwork === undefined && container.devices['eth0'] === undefined) return
        const network = isAllowed ? (mailNetwork ?? settings.network) : settings.network
        if (container.expanded_devices['eth0']?.['network'] === network) return
        await containers.setNetworkCard(container, nicOf(settings, isAllowed))
      }),

    list: (deployment) =>
      explained(async () => {
        if ((await findOwner(client, project)) !== deployment) return []
        return (await containers.listNames()).flatMap((name) => idOfName(name) ?? [])
      }),

    claims: {
      read: () => explained(claims.read),
      write: (claim) => explained(() => claims.write(claim)),
    },

    capacity: (region) => explained(() => readLxdCapacity(client, { project, pool }, membersOf(region))),

    usage: (instanceId) =>
      explained(async () => {
        const container = await containers.find(nameOfInstance(instanceId))
        if (container?.status !== 'Running' || !container.state) return undefined
        const { cpu, memory } = container.state
        return { cpuSeconds: cpu.usage / 1e9, memoryUsed: memory.usage }
      }),

    watch: (onChange) => watchLxd(client, { project, log }, onChange),
    close: () => client.close(),
  }
}

/** States that a container also shows while LXD copies it. */
const endedStates: ReadonlySet<Observed['state']> = new Set(['absent', 'failed', 'stopped'])

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

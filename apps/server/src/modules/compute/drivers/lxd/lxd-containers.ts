/** The containers of one LXD project by their names, each change asked as "make it so". */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Log } from '../../../../platform/log.ts'
import { ProviderError } from '../../provider/compute-provider.ts'
import { Instance, InstanceGlance, LxdError } from './lxd-answers.ts'
import { type LxdClient, makeOnce } from './lxd-client.ts'
import { type Desired, desiredKey } from './lxd-instances.ts'

/** LXD answers within milliseconds when all is well. */
const patienceMs = 500
const removeTries = 3

export interface Containers {
  /** Undefined without it. Throws `LostMember` when the member that holds it does not answer. */
  find(name: string): Promise<Instance | undefined>
  /** All that LXD knows of, also on members that are lost. */
  listNames(): Promise<string[]>
  /** `target`: a member; undefined leaves it to LXD. One that is there already is left as it is. */
  make(container: object, target: string | undefined): Promise<void>
  setDesired(container: Instance, desired: Desired): Promise<void>
  setNetworkCard(container: Instance, card: object): Promise<void>
  /** A frozen one goes on. */
  start(container: Instance): Promise<void>
  /** Asked first, killed after the grace. */
  stop(name: string): Promise<void>
  restart(name: string): Promise<void>
  /** Copies a stopped one to another member of the cluster, whose it is from then on. */
  move(name: string, member: string): Promise<void>
  /** Throws `LostMember` when it cannot be reached. */
  remove(name: string): Promise<void>
}

/** The member that holds the instance does not answer. */
export class LostMember extends ProviderError {
  readonly member: string

  constructor(member: string) {
    super(`The host "${member}" does not answer`, { retryable: true })
    this.member = member
  }
}

export function createContainers(
  client: LxdClient,
  { project, graceSeconds, log }: { project: string; graceSeconds: number; log: Log },
): Containers {
  const query = { project }
  const pathOf = (name: string) => `/1.0/instances/${name}`

  async function find(name: string): Promise<Instance | undefined> {
    const given = new AbortController()
    const answer = client.find(pathOf(name), Instance, { project, recursion: '1' })
    try {
      // LXD itself waits 10 s for a member that is lost, and this may be asked often.
      return await Promise.race([answer, rejectWhenLost(name, given.signal)])
    } catch (error) {
      const member = error instanceof LxdError ? await findLostMember(name) : undefined
      throw member === undefined ? error : new LostMember(member)
    } finally {
      given.abort()
      answer.catch(() => undefined) // overtaken
    }
  }

  /** Looks once after a while, unless `signal` comes first; never resolves. */
  async function rejectWhenLost(name: string, signal: AbortSignal): Promise<never> {
    const member = await delay(patienceMs, undefined, { signal }).then(
      () => findLostMember(name),
      () => undefined, // answered meanwhile
    )
    if (member !== undefined) throw new LostMember(member)
    return await new Promise<never>(() => undefined)
  }

  /** The member that holds a container and does not answer. */
  async function findLostMember(name: string): Promise<string | undefined> {
    // LXD knows of every container where it is; only the member itself knows more.
    const glances = await client.get('/1.0/instances', z.array(InstanceGlance), { project, recursion: '1' })
    const glance = glances.find((candidate) => candidate.name === name)
    return glance?.status === 'Error' ? glance.location : undefined
  }

  async function act(name: string, action: 'start' | 'stop' | 'restart' | 'unfreeze', force: boolean): Promise<void> {
    const body = { action, force, timeout: force ? -1 : graceSeconds }
    try {
      await client.change('PUT', `${pathOf(name)}/state`, { query, body })
    } catch (error) {
      if (error instanceof LxdError && /already (running|stopped)/i.test(error.message)) return
      throw error
    }
  }

  /** An image that does not listen must not keep its instance running. */
  async function actOrForce(name: string, action: 'stop' | 'restart'): Promise<void> {
    try {
      await act(name, action, false)
    } catch (error) {
      if (!(error instanceof LxdError)) throw error
      log.warn({ err: error, name, action }, 'a container did not end by itself')
      await act(name, action, true)
    }
  }

  async function setDesired({ name, config }: Instance, desired: Desired): Promise<void> {
    if (config[desiredKey] === desired) return
    await client.change('PATCH', pathOf(name), { query, body: { config: { [desiredKey]: desired } } })
  }

  return {
    find,
    async listNames() {
      const paths = await client.get('/1.0/instances', z.array(z.string()), query)
      return paths.map((path) => path.split('?')[0]?.split('/').at(-1) ?? '')
    },
    async make(container, target) {
      await makeOnce(client, '/1.0/instances', { query: { project, target }, body: container })
    },
    setDesired,
    async setNetworkCard({ name }, eth0) {
      await client.change('PATCH', pathOf(name), { query, body: { devices: { eth0 } } })
    },
    start: ({ name, status }) => act(name, status === 'Frozen' ? 'unfreeze' : 'start', false),
    stop: (name) => actOrForce(name, 'stop'),
    restart: (name) => actOrForce(name, 'restart'),
    async move(name, member) {
      await client.change('POST', pathOf(name), { query: { project, target: member }, body: { name, migration: true } })
    },
    async remove(name) {
      for (let tries = 1; ; tries += 1) {
        const container = await find(name)
        if (!container) return
        try {
          // Without it, a control plane that reads now would take the end for a failure and boot it again.
          await setDesired(container, 'stopped')
          if (container.status !== 'Stopped') await act(name, 'stop', true)
          await client.change('DELETE', pathOf(name), { query })
        } catch (error) {
          // A start that was asked for earlier took effect in between, or somebody else removed it.
          const isOvertaken = error instanceof LxdError && (error.status === 404 || /is running/.test(error.message))
          if (!isOvertaken || tries === removeTries) throw error
        }
      }
    },
  }
}

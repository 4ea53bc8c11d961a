/**
 * Hosts as a provider that creates nothing. A host joins through the command that its owner runs, and every request to
 * it goes through its agent.
 *   awaited   the command was issued, no host has used it
 *   starting  a host enrolled and has not reported yet
 *   running   it reports, or has until `silentFrom`
 *   unreachable  silent for `silenceMs`: switched off, or cut off
 *   absent    it left, or was given up: an absent host is not waited for
 */
import { absent, type ComputeProvider, type Observed, ProviderError } from '../../provider/compute-provider.ts'

/** The known facts about a host's agent; times in ms. */
export interface SelfHost {
  /** A host has spent the token. */
  enrolled: boolean
  connected: boolean
  /** Since it last reported, by the database's clock; null before it enrolled. */
  silentForMs: number | null
  bootId: string | null
  port: number | null
  machine: { address: string | null } | null
  network: { port: number | null } | null
  /** Since it was asked to leave; null while it may stay. */
  leavingForMs: number | null
  hasLeft: boolean
}

/** The agents of hosts. */
export interface SelfHosts {
  find(instanceId: string): Promise<SelfHost | undefined>
  requestRestart(instanceId: string, bootId: string): Promise<void>
  requestLeave(instanceId: string): Promise<void>
}

/** How long one that is connected may take to leave, ms; then its rows go and it is notified when it comes back. */
const leaveMs = 15_000

export function createSelfHostProvider({
  hosts,
  silenceMs,
  now = Date.now,
}: {
  hosts: SelfHosts
  silenceMs: number
  now?: () => number
}): ComputeProvider {
  async function inspect(instanceId: string): Promise<Observed> {
    const host = await hosts.find(instanceId)
    return host ? observe(host, silenceMs, now()) : absent
  }

  function refuse(what: string): never {
    throw new ProviderError(`A host cannot be ${what} from here`, { retryable: false })
  }

  return {
    name: 'selfHost',
    // Its owner brings it.
    ensureInstance: async () => undefined,
    inspect,
    start: async () => refuse('started'),
    stop: async () => refuse('stopped'),
    async restart(instanceId, from) {
      const host = await hosts.find(instanceId)
      // `from` is a boot: one that is over is not restarted a second time.
      if (host?.bootId === from) await hosts.requestRestart(instanceId, from)
    },
    destroy: (instanceId) => hosts.requestLeave(instanceId),
    // A host without a row cannot enroll, so there are no strays.
    list: async () => [],
    usage: async () => undefined,
  }
}

function observe(agent: SelfHost, silenceMs: number, now: number): Observed {
  if (agent.hasLeft) return absent
  if (agent.leavingForMs !== null && (!agent.connected || agent.leavingForMs > leaveMs)) return absent
  if (!agent.enrolled) return { ...absent, state: 'awaited' }
  const silentForMs = agent.silentForMs ?? 0
  if (!agent.connected && silentForMs > silenceMs) return { ...absent, state: 'unreachable' }
  const host = agent.machine?.address
  const port = agent.network?.port ?? agent.port
  return {
    state: agent.bootId === null ? 'starting' : 'running',
    address: host && port !== null ? { host, port } : null,
    reason: null,
    incarnation: agent.bootId,
    // A little later than needed: read too early, it would be read twice.
    ...(!agent.connected && { silentFrom: new Date(now + silenceMs - silentForMs + 50) }),
  }
}

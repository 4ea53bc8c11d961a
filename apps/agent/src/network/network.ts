/**
 * How visitors get through to this machine, as the control plane says: one endpoint at a time, changed when it says
 * another. Without word (an instance of a provider's), nothing is done.
 */
import type { AgentBoot, AgentState, MachineRefusal, ProxyConfig } from '@atoll/contract/agents'
import type { PersonalServer } from '../http/personal-server.ts'
import { describeError, type Log } from '../kernel/log.ts'
import type { Enrolled } from '../link/enroll.ts'
import type { Endpoint, NetworkReport } from './endpoint.ts'

export interface Network {
  /** Opens what `proxy` says, after closing what was open; the same again changes nothing. */
  apply(proxy: ProxyConfig | undefined): Promise<void>
  readonly state: AgentState['network']
  traffic(): { in: number; out: number }
  close(): Promise<void>
}

export interface NetworkOptions {
  enrolled: Enrolled
  boot: AgentBoot
  server: PersonalServer
  /** Folder for generated configuration; private. */
  folder: string
  /** Where `direct` listens; the next free one when it is taken. */
  directPort: number
  log: Log
  /** The edge refuses this machine. */
  onRefused(refusal: MachineRefusal): void
  onChange(): void
}

export function createNetwork(options: NetworkOptions): Network {
  const { log } = options
  let applied = ''
  let endpoint: Endpoint | undefined
  let state: AgentState['network']
  let ended = { in: 0, out: 0 }
  /** Changes one after another. */
  let work: Promise<void> = Promise.resolve()

  function report(next: NetworkReport): void {
    const { port = null, ...rest } = next
    const reason = rest.reason?.slice(0, 300) ?? null
    if (JSON.stringify(state) === JSON.stringify({ ...rest, reason, port })) return
    state = { ...rest, reason, port }
    options.onChange()
  }

  async function change(proxy: ProxyConfig | undefined): Promise<void> {
    await closeEndpoint()
    state = undefined
    if (!proxy) return options.onChange()
    report({ state: 'connecting', reason: null })
    try {
      endpoint = await open(proxy, options, report)
    } catch (error) {
      log.error('network', `${proxy.kind} could not be opened: ${describeError(error)}`)
      report({ state: 'failed', reason: describeError(error) })
    }
  }

  async function closeEndpoint(): Promise<void> {
    const closing = endpoint
    endpoint = undefined
    await closing?.close()
    const last = closing?.traffic()
    if (last) ended = { in: ended.in + last.in, out: ended.out + last.out }
  }

  return {
    get state() {
      return state
    },
    apply(proxy) {
      const text = JSON.stringify(proxy ?? null)
      if (text === applied) return work
      applied = text
      work = work.then(() => change(proxy))
      return work
    },
    traffic() {
      const now = endpoint?.traffic() ?? { in: 0, out: 0 }
      return { in: ended.in + now.in, out: ended.out + now.out }
    },
    async close() {
      await work
      await closeEndpoint()
    },
  }
}

/** Each endpoint is imported when it is asked for: an agent uses one. */
async function open(
  proxy: ProxyConfig,
  { enrolled, boot, server, folder, directPort, log, onRefused }: NetworkOptions,
  report: (state: NetworkReport) => void,
): Promise<Endpoint> {
  switch (proxy.kind) {
    case 'relay': {
      const { openRelayLink } = await import('./relay-link.ts')
      return openRelayLink({ url: proxy.url, enrolled, boot, accept: server.accept, report, onRefused, log })
    }
    case 'direct': {
      const { listenDirectly } = await import('./direct-listener.ts')
      return await listenDirectly({ port: directPort, accept: server.acceptStranger, report, log })
    }
    case 'frp': {
      const { prepareFrpc } = await import('./frpc.ts')
      const { runProgram } = await import('./tunnel-program.ts')
      return runProgram(await prepareFrpc(proxy, { folder, enrolled, port: server.port }), { report, log })
    }
    case 'cloudflare': {
      const { prepareCloudflared } = await import('./cloudflared.ts')
      const { runProgram } = await import('./tunnel-program.ts')
      return runProgram(await prepareCloudflared(proxy, { folder, port: server.port }), { report, log })
    }
  }
}

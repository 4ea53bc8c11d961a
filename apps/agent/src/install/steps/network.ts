/** Step `network`: the personal server answers on its port, and it is this process that answers. */
import type { Health } from '@atoll/contract/personal-server'
import type { Step } from '../../drive/install-step.ts'

export const checkNetwork: Step = async ({ host, port, bootId, signal, say }) => {
  const found = await askForBoot(`${reachableHost(host)}:${port}`, signal)
  if (found !== bootId)
    throw new Error(`Another program answers on port ${port} of the instance. Restart the instance, and retry.`)
  say('network', `the personal server answers on port ${port}`)
}

/** The boot that answers; undefined when what answers is not a personal server. */
async function askForBoot(address: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(`http://${address}/api/health`, { signal })
    const answer = (await response.json()) as Partial<Health> | null // compared, never used
    return answer?.bootId
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SyntaxError) return undefined // it answered, but not JSON
    throw new Error(`Nothing answers on ${address} of the instance. Restart the instance, and retry.`, { cause: error })
  }
}

/** Where this machine reaches what listens on `host`: on all addresses means on its own, too. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

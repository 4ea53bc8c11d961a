/** Step `network`: the personal server answers on its port, and it is this process that answers. */
import type { Health } from '@atoll/contract/personal-server'
import type { Step } from '../installer.ts'

export const checkNetwork: Step = async ({ port, bootId, signal, say }) => {
  const found = await askForBoot(port, signal)
  if (found !== bootId)
    throw new Error(`Another program answers on port ${port} of the instance. Restart the instance, and retry.`)
  say('network', `the personal server answers on port ${port}`)
}

/** The boot that answers; undefined when what answers is not a personal server. */
async function askForBoot(port: number, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/health`, { signal })
    const answer = (await response.json()) as Partial<Health> | null // compared, never used
    return answer?.bootId
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SyntaxError) return undefined // it answered, but not JSON
    throw new Error(`Nothing answers on port ${port} of the instance. Restart the instance, and retry.`, {
      cause: error,
    })
  }
}

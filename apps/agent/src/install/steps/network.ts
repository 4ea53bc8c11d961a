/** Step `network`: the personal server answers on its port, and it is this process that answers. */
import { z } from 'zod'
import type { Step } from '../installer.ts'

const Answer = z.object({ bootId: z.string() })

export const checkNetwork: Step = async ({ port, bootId, signal, say }) => {
  const response = await fetch(`http://127.0.0.1:${port}/api/health`, { signal })
  const answer = Answer.parse(await response.json())
  if (answer.bootId !== bootId)
    throw new Error(`Another program answers on port ${port}. Restart the instance, and retry.`)
  say('network', `the personal server answers on port ${port}`)
}

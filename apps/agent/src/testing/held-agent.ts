/** The agent, but for one install step (HOLD_STEP) that says so and then never ends, before or after its work. */
import { startAgent } from '../app/agent.ts'
import type { Step } from '../drive/install-step.ts'
import { installSteps } from '../install/steps/index.ts'
import { readConfig } from '../kernel/config.ts'
import { createLog } from '../kernel/log.ts'

const name = process.env['HOLD_STEP'] ?? ''
const step = installSteps[name]
if (!step) throw new Error(`there is no step ${name}`)

const held: Step = async (context) => {
  if (process.env['HOLD_WHEN'] === 'after') await step(context)
  process.stdout.write('held\n')
  await new Promise(() => undefined)
}

const agent = await startAgent(readConfig(process.env), { log: createLog(), steps: { ...installSteps, [name]: held } })
await agent.linked

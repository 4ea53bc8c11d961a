/** Every step this agent can do, by the name that a catalogue's version gives. Each may be run again at any time. */
import type { Step } from '../../drive/install-step.ts'
import { fetchRelease } from './fetch.ts'
import { handOver } from './handover.ts'
import { checkNetwork } from './network.ts'
import { prepareDisk } from './prepare.ts'
import { runScript } from './script.ts'
import { startServices } from './services.ts'

export const installSteps: Readonly<Record<string, Step>> = {
  prepare: prepareDisk,
  fetch: fetchRelease,
  services: startServices,
  script: runScript,
  network: checkNetwork,
  handover: handOver,
}

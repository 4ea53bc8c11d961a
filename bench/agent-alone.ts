/** The agent without a provider and a control plane that decides anything: spawned, enrolled, installed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentEntryPoint } from '@atoll/testkit'
import { bareInstance, startBareControlPlane } from './bare-control-plane.ts'
import type { Reference } from './reference.ts'

/** `steps` and `version` as a real install names them. */
export async function prepareAgentAlone(version: string, steps: string[]): Promise<Reference> {
  const control = await startBareControlPlane(version, steps)
  return {
    /** From spawn to the report that every step is done. */
    async measure() {
      const home = mkdtempSync(join(tmpdir(), 'atoll-bench-agent-'))
      const installed = control.nextInstall()
      const begun = performance.now()
      // The same program and settings as the process provider gives it, without the provider.
      const agent = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', agentEntryPoint], {
        stdio: 'ignore',
        env: {
          PATH: process.env['PATH'],
          ATOLL_AGENT_HOME: home,
          ATOLL_AGENT_INSTANCE: bareInstance.instanceId,
          ATOLL_AGENT_CONTROL_URL: `http://127.0.0.1:${control.port}`,
          ATOLL_AGENT_ENROLL_TOKEN: bareInstance.enrollToken,
          ATOLL_AGENT_CPU_COUNT: '2',
          ATOLL_AGENT_MEMORY_MIB: '4096',
          ATOLL_AGENT_DISK_MIB: '40960',
        },
      })
      const ended = once(agent, 'exit')
      const early = ended.then(([code]) => Promise.reject(new Error(`the agent ended with ${code}`)))
      await Promise.race([installed, early])
      const ms = performance.now() - begun
      early.catch(() => undefined) // it is ended on purpose now
      agent.kill('SIGKILL')
      await ended
      rmSync(home, { recursive: true, force: true })
      return ms
    },
    [Symbol.asyncDispose]: () => control[Symbol.asyncDispose](),
  }
}

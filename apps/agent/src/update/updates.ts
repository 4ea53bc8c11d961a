/**
 * The tasks `update` and `updateBack`. Both end the process and come to their end in the next one, which finds in
 * `launch/choice.ts` what became of them: so each may be killed anywhere and run again.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type AgentProgram, taskKinds } from '@atoll/contract/agents'
import { type AgentTask, defineAgentTask } from '../kernel/agent-task.ts'
import type { Home } from '../kernel/home.ts'
import type { Log } from '../kernel/log.ts'
import { untilAborted } from '../kernel/until-aborted.ts'
import { agentVersion } from '../kernel/version.ts'
import { type Choice, confirmTrial, readChoice, stepBack, writeChoice } from '../launch/choice.ts'
import { fetchRelease, judgeRelease, readReleaseKey } from './fetch-release.ts'

export interface Updates {
  tasks: AgentTask[]
  program(): AgentProgram
  /** The control plane answers this agent: the running version has reported, and its trial ends. */
  confirm(): Promise<void>
}

export async function openUpdates({
  home,
  controlUrl,
  log,
  untilQuiet,
  restart,
}: {
  home: Home
  /** Where the control plane is reached now. */
  controlUrl(): string
  log: Log
  /** Resolves once no backup runs, which would be cut off; none begins until what it resolves with is called. */
  untilQuiet(signal: AbortSignal): Promise<() => void>
  /** Ends this process, so that the launcher chooses again. */
  restart(): void
}): Promise<Updates> {
  const file = join(home.program, 'choice.json')
  const key = await readReleaseKey()
  const confirmed = Promise.withResolvers<void>()
  const never = new Promise<never>(() => undefined)
  /** Without a file the base runs. */
  let choice: Choice = readChoice(file) ?? {
    base: agentVersion,
    current: { version: agentVersion, folder: null },
    previous: null,
    trial: null,
    failed: null,
  }

  async function startOther(next: Choice, signal: AbortSignal): Promise<never> {
    const goOn = await untilQuiet(signal)
    try {
      writeChoice(file, next)
      restart()
      return await untilAborted(never, signal)
    } catch (error) {
      goOn()
      throw error
    }
  }

  return {
    program: () => ({ hasKey: key !== undefined, previous: choice.previous?.version ?? null }),

    async confirm() {
      if (choice.trial?.version === agentVersion) {
        choice = confirmTrial(choice)
        writeChoice(file, choice)
        log.info('update', `version ${agentVersion} is in use`)
        await removeOthers(home.program, foldersOf(choice))
      }
      confirmed.resolve()
    },

    tasks: [
      defineAgentTask(taskKinds.update, async ({ taskId, params, signal }) => {
        const { withinMs, ...release } = params
        if (release.version === agentVersion) {
          await untilAborted(confirmed.promise, signal)
          return { version: agentVersion }
        }
        if (choice.failed?.taskId === taskId) throw new Error(choice.failed.reason)
        judgeRelease(release, key)
        const inUse = foldersOf(choice)
        const folder = await fetchRelease(release, { programs: home.program, inUse, controlUrl: controlUrl(), signal })
        log.info('update', `to version ${release.version}`)
        const trial = { version: release.version, folder, taskId, withinMs, isStarted: false }
        return await startOther({ ...choice, trial, failed: null }, signal)
      }),
      defineAgentTask(taskKinds.updateBack, async ({ params, signal }) => {
        if (agentVersion !== params.version) return { version: agentVersion }
        const before = stepBack(choice)
        if (!before) throw new Error(`There is no version before ${agentVersion} on this machine.`)
        log.info('update', `back to version ${before.current.version}`)
        return await startOther(before, signal)
      }),
    ],
  }
}

const foldersOf = ({ current, previous }: Choice) => [current.folder, previous?.folder ?? null]

async function removeOthers(programs: string, kept: readonly (string | null)[]): Promise<void> {
  for (const entry of await readdir(programs, { withFileTypes: true })) {
    if (entry.isDirectory() && !kept.includes(entry.name))
      await rm(join(programs, entry.name), { recursive: true, force: true })
  }
}

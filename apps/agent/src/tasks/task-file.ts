/** The tasks that this agent holds, on disk: a task is kept before it begins, and its end before it is reported. */
import { TaskId, TaskReport, taskEnds } from '@atoll/contract/agents'
import { z } from 'zod'
import { writeFileAtomic } from '../kernel/atomic-file.ts'
import { readJsonFile } from '../kernel/home.ts'

export const HeldTask = TaskReport.omit({ state: true }).extend({
  kind: z.string(),
  params: z.record(z.string(), z.unknown()),
  /** `open`: to be run, or run again. */
  state: z.enum(['open', ...taskEnds]),
})
export type HeldTask = z.infer<typeof HeldTask>

/** A task whose end the control plane has seen. */
const SeenTask = TaskReport.extend({ state: z.enum(taskEnds) })

const KeptTasks = z.object({
  tasks: z.array(HeldTask),
  /** Forgotten ones, the newest last: an offer that was on its way does not begin them again. */
  seen: z.array(TaskId),
  /** Their ends, for a control plane that was brought back from an older copy and waits for one. */
  ends: z.array(SeenTask).default([]),
})
export type KeptTasks = z.infer<typeof KeptTasks>

export interface TaskFile {
  read(): Promise<KeptTasks>
  write(tasks: KeptTasks): Promise<void>
}

export function taskFile(path: string): TaskFile {
  return {
    read: async () => (await readJsonFile(path, KeptTasks)) ?? { tasks: [], seen: [], ends: [] },
    write: (tasks) => writeFileAtomic(path, JSON.stringify(tasks)),
  }
}

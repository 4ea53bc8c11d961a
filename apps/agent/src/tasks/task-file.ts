/** The tasks that this agent holds, on disk: a task is kept before it begins, and its end before it is reported. */
import { TaskId, TaskReport, taskEnds } from '@atoll/contract/agents'
import { z } from 'zod'
import { writeFileAtomic } from '../home/atomic-file.ts'
import { readJsonFile } from '../home/home.ts'

export const HeldTask = TaskReport.omit({ state: true }).extend({
  kind: z.string(),
  params: z.record(z.string(), z.unknown()),
  /** `open`: to be run, or run again. */
  state: z.enum(['open', ...taskEnds]),
})
export type HeldTask = z.infer<typeof HeldTask>

const KeptTasks = z.object({
  tasks: z.array(HeldTask),
  /** Forgotten ones, the newest last: an offer that was on its way does not begin them again. */
  seen: z.array(TaskId),
})
export type KeptTasks = z.infer<typeof KeptTasks>

export interface TaskFile {
  read(): Promise<KeptTasks>
  write(tasks: KeptTasks): Promise<void>
}

export function taskFile(path: string): TaskFile {
  return {
    read: async () => (await readJsonFile(path, KeptTasks)) ?? { tasks: [], seen: [] },
    write: (tasks) => writeFileAtomic(path, JSON.stringify(tasks)),
  }
}

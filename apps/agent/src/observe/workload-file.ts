/**
 * The operator's script's report on its own services: `$ATOLL_HOME/workloads.json`, a list of `{name, state, title?,
 * ready?, wanted?, reason?}`. Another program writes it, at any time and in any state: it is read with a limit and
 * checked, and a fault in it is reported as a workload of its own.
 */
import { mostWorkloads, ownWorkloads, Workload } from '@atoll/contract/agents'
import { z } from 'zod'
import { describeError, oneLine } from '../kernel/log.ts'
import { readScriptFile } from './script-file.ts'

export const workloadFileName = 'workloads.json'
export const hostFileName = 'hosts.json'
/** Bytes; fifty entries with the longest texts are half of it. */
const mostBytes = 64 * 1024

/** A workload without what the agent adds: since when it is so. */
export type ReportedWorkload = Omit<Workload, 'since'>

/** As `Workload` limits it, and in one line: a control character would make the whole report unreadable. */
const Title = z.string().transform(oneLine).pipe(z.string().min(1).max(80))
const Reason = z.string().transform(oneLine).pipe(z.string().max(300))
const Entry = Workload.omit({ since: true }).extend({
  title: Title.optional(),
  ready: Workload.shape.ready.optional(),
  wanted: Workload.shape.wanted.default(1),
  reason: Reason.nullable().default(null),
})
const Entries = z
  .array(Entry)
  .max(mostWorkloads - ownWorkloads.length - 1)
  .superRefine((entries, context) => {
    const names = new Set<string>([...ownWorkloads, workloadFileName, hostFileName])
    for (const [at, { name }] of entries.entries()) {
      if (names.has(name)) context.addIssue({ code: 'custom', path: [at, 'name'], message: 'is taken' })
      names.add(name)
    }
  })

/** The workloads in the file at `path`; none without a file. An unreadable one counts as failed, with the reason. */
export async function readWorkloadFile(path: string): Promise<ReportedWorkload[]> {
  try {
    const text = await readScriptFile(path, mostBytes)
    if (text === undefined) return []
    const { success, data, error } = Entries.safeParse(JSON.parse(text))
    if (!success)
      return [broken(error.issues.map((issue) => `${issue.path.join('.') || 'the list'}: ${issue.message}`))]
    return data.map((entry) => ({ ...entry, ready: entry.ready ?? (entry.state === 'Completed' ? entry.wanted : 0) }))
  } catch (error) {
    return [broken([error instanceof SyntaxError ? 'it is not JSON' : describeError(error)])]
  }
}

const broken = (problems: readonly string[]) => brokenFile(workloadFileName, problems)

/** A file of the script's that cannot be used, as a workload that failed: it is seen where its owner looks. */
export function brokenFile(name: string, problems: readonly string[]): ReportedWorkload {
  const reason = `${name} cannot be used. ${problems[0] ?? ''}`.slice(0, 300)
  return { name, state: 'Failed', ready: 0, wanted: 1, reason }
}

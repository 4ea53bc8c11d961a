/**
 * The names below its own host at which a cluster wants to be visited, as the operator's script lists them:
 * `$ATOLL_HOME/hosts.json`, labels such as `["photos", "notes"]`. Certificates are ordered for no other name.
 */
import { RegisteredHosts } from '@atoll/contract/agents'
import { describeError } from '../kernel/log.ts'
import { readScriptFile } from './script-file.ts'
import { brokenFile, hostFileName, type ReportedWorkload } from './workload-file.ts'

/** Bytes; twenty of the longest labels are a third of it. */
const mostBytes = 4 * 1024

/** The names in the file at `path`; none without one, or where it cannot be used: `broken` says why. */
export async function readHostFile(path: string): Promise<{ hosts: string[]; broken?: ReportedWorkload }> {
  const failed = (problem: string) => ({ hosts: [], broken: brokenFile(hostFileName, [problem]) })
  try {
    const text = await readScriptFile(path, mostBytes)
    if (text === undefined) return { hosts: [] }
    const { success, data, error } = RegisteredHosts.safeParse(JSON.parse(text))
    if (success) return { hosts: [...new Set(data)] }
    const [issue] = error.issues
    return failed(`${issue?.path.join('.') || 'the list'}: ${issue?.message}`)
  } catch (error) {
    return failed(error instanceof SyntaxError ? 'it is not JSON' : describeError(error))
  }
}

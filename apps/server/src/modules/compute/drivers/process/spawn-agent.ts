import { type ChildProcess, spawn } from 'node:child_process'
import type { InstanceRecord } from './instance-folder.ts'
import type { InstanceRuntime } from './runtime-copy.ts'

/** Starts a process of the instance in `home`, detached; `output` is the descriptor of its log. */
export function spawnAgent({
  instanceId,
  home,
  record,
  runtime: { node, launcher, program, restic, user },
  output,
}: {
  instanceId: string
  home: string
  record: InstanceRecord
  runtime: InstanceRuntime
  output: number
}): ChildProcess {
  return spawn(node, ['--disable-warning=ExperimentalWarning', launcher, program], {
    cwd: home,
    detached: true,
    stdio: ['ignore', output, output],
    ...(user && { uid: user.uid, gid: user.gid }),
    // Nothing of the server's own environment: it holds secrets.
    env: {
      PATH: process.env['PATH'],
      LANG: process.env['LANG'],
      TZ: process.env['TZ'],
      ATOLL_AGENT_HOME: home,
      ATOLL_AGENT_INSTANCE: instanceId,
      ATOLL_AGENT_CONTROL_URL: record.controlUrl,
      ATOLL_AGENT_ENROLL_TOKEN: record.enrollToken,
      ATOLL_AGENT_CPU_COUNT: String(record.cpuCoreCount),
      ATOLL_AGENT_MEMORY_MIB: String(record.memoryMiB),
      ATOLL_AGENT_DISK_MIB: String(record.diskMiB),
      ATOLL_INSTANCE_MARK: record.mark,
      ...(restic !== undefined && { ATOLL_AGENT_RESTIC: restic }),
    },
  })
}

/** Settings from the environment; nothing else configures the agent. */
import { z } from 'zod'
import { Fatal } from './fatal.ts'

const Size = z.coerce.number().positive().optional()

const Environment = z
  .object({
    /** Folder of everything this agent owns; made when absent. */
    ATOLL_AGENT_HOME: z.string().min(1),
    /** Address of the control plane, such as https://console.example. */
    ATOLL_AGENT_CONTROL_URL: z.url({ protocol: /^https?$/ }),
    /** Single-use; needed until the agent has enrolled, ignored afterwards. */
    ATOLL_AGENT_ENROLL_TOKEN: z.string().min(20).max(200).optional(),
    /** A file that holds the token instead; removed once it is spent, so that no later process or backup has it. */
    ATOLL_AGENT_ENROLL_TOKEN_FILE: z.string().min(1).optional(),
    /** The instance that the enrollment must name, when the starter knows it. */
    ATOLL_AGENT_INSTANCE: z.string().max(64).optional(),
    ATOLL_AGENT_HOST: z.string().default('127.0.0.1'),
    /** 0: the port of the last run when it is free, else any. */
    ATOLL_AGENT_PORT: z.coerce.number().int().min(0).max(65535).default(0),
    /** Where visitors reach a machine that nobody stands before; the next free port when it is taken. */
    ATOLL_AGENT_DIRECT_PORT: z.coerce.number().int().min(0).max(65535).default(4880),
    /** That the share is a container, in which nothing else runs. */
    ATOLL_AGENT_CONTAINER: z.stringbool().default(false),
    /** The restic to make backups with; else, or when it does not run, the one in PATH. */
    ATOLL_AGENT_RESTIC: z.string().min(1).optional(),
    /** Size of the instance when it is only a share of this machine; absent: the whole machine is the instance. */
    ATOLL_AGENT_CPU_COUNT: Size,
    ATOLL_AGENT_MEMORY_MIB: Size,
    ATOLL_AGENT_DISK_MIB: Size,
  })
  .transform((variables) => ({
    home: variables.ATOLL_AGENT_HOME,
    /** Without a trailing slash. */
    controlUrl: variables.ATOLL_AGENT_CONTROL_URL.replace(/\/+$/, ''),
    enrollToken: variables.ATOLL_AGENT_ENROLL_TOKEN,
    enrollTokenFile: variables.ATOLL_AGENT_ENROLL_TOKEN_FILE,
    expectedInstance: variables.ATOLL_AGENT_INSTANCE,
    host: variables.ATOLL_AGENT_HOST,
    port: variables.ATOLL_AGENT_PORT,
    directPort: variables.ATOLL_AGENT_DIRECT_PORT,
    isContainer: variables.ATOLL_AGENT_CONTAINER,
    resticPath: variables.ATOLL_AGENT_RESTIC,
    /** The share of a machine that the instance is; each absent figure means "all there is". */
    size: {
      cpuCount: variables.ATOLL_AGENT_CPU_COUNT,
      memoryBytes: bytesOfMiB(variables.ATOLL_AGENT_MEMORY_MIB),
      diskBytes: bytesOfMiB(variables.ATOLL_AGENT_DISK_MIB),
    },
  }))
export type AgentConfig = z.output<typeof Environment>

/** Reads `environment`; throws `Fatal` (exit 2) naming every variable that is missing or wrong. */
export function readConfig(environment: Record<string, string | undefined>): AgentConfig {
  const parsed = Environment.safeParse(environment)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Fatal('config', faults.join('; '))
}

function bytesOfMiB(mebibytes: number | undefined): number | undefined {
  return mebibytes === undefined ? undefined : mebibytes * 1024 * 1024
}

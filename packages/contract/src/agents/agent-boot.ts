/** The headers by which an agent names its process and its machine in each dial of channel and relay. */
import { z } from 'zod'

const Id = /^[\w-]{1,64}$/
const bootHeader = 'atoll-boot'
const hostHeader = 'atoll-host'

export interface AgentBoot {
  /** New each time the agent process starts. */
  id: string
  /** The boot before it on this disk; null: the first, or nobody knows. */
  previous: string | null
  hostName: string
}

const HostName = z
  .string()
  .max(253)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)

export const agentBootHeaders = {
  write({ id, previous, hostName }: AgentBoot): Record<string, string> {
    return {
      [bootHeader]: previous === null ? id : `${id} ${previous}`,
      [hostHeader]: encodeURIComponent(hostName),
    }
  },
  /** Undefined: an older agent, which says nothing, or nothing that can be read. */
  read(headers: Readonly<Record<string, string | string[] | undefined>>): AgentBoot | undefined {
    const [id, previous = null, ...more] = String(headers[bootHeader] ?? '').split(' ')
    if (!id || !Id.test(id) || more.length > 0 || (previous !== null && !Id.test(previous))) return undefined
    return { id, previous, hostName: readHostName(headers[hostHeader]) }
  },
}

function readHostName(text: string | string[] | undefined): string {
  try {
    return HostName.parse(decodeURIComponent(String(text ?? '')))
  } catch {
    return '' // who it is does not follow from its name
  }
}

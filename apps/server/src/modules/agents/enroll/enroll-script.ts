import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installRoot } from '../../../platform/install.ts'

const template = readFileSync(join(installRoot, 'apps/server/src/modules/agents/enroll/enroll.sh'), 'utf8')

/** The files that this server offers to hosts, by name with SHA-256. */
export interface EnrollOffer {
  agentFile: string
  /** Of the archive. */
  agentSha256: string
  nodeFile: string
  /** Of the program that is in the file. */
  nodeSha256: string
  /** Such as linux-x64. */
  nodePlatform: string
  /** Of the same platform; absent where this server has none. */
  resticFile?: string
  /** Of the program that is in the file. */
  resticSha256?: string
}

/** `enroll.sh` for hosts that reach us at `origin`. Throws when a value could end the quotes it stands in. */
export function renderEnrollScript({ origin, ...offer }: EnrollOffer & { origin: string }): string {
  const values: Record<string, string> = {
    ORIGIN: origin,
    AGENT_FILE: offer.agentFile,
    AGENT_SHA256: offer.agentSha256,
    NODE_FILE: offer.nodeFile,
    NODE_SHA256: offer.nodeSha256,
    NODE_PLATFORM: offer.nodePlatform,
    RESTIC_FILE: offer.resticFile ?? 'none',
    RESTIC_SHA256: offer.resticSha256 ?? 'none',
  }
  return template.replace(/@([A-Z0-9_]+)@/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    if (!/^[\w.:/[\]~%-]+$/.test(value)) throw new Error(`"${value}" cannot stand in a shell script`)
    return value
  })
}

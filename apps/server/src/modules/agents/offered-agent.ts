import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentRelease } from '@atoll/contract/agents'
import type { z } from 'zod'
import { installRoot } from '../../platform/install.ts'

/** `npm run build` and a release leave it there. */
export const agentArchive = join(installRoot, 'apps/agent/dist/agent.tar.gz')

const OfferedAgent = AgentRelease.partial({ signature: true })
/** Without a signature no agent installs it. */
export type OfferedAgent = z.infer<typeof OfferedAgent>

/** The agent of this release; undefined in a checkout, whose agents have no version of their own. */
export async function readOfferedAgent(archive = agentArchive): Promise<OfferedAgent | undefined> {
  try {
    return OfferedAgent.parse(JSON.parse(await readFile(archive.replace(/\.tar\.gz$/, '.json'), 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

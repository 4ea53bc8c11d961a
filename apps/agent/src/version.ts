import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Package = z.object({ version: z.string() })

/** The agent's own version, from its package. */
export const agentVersion = Package.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')),
).version

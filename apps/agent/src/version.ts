import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageFolder } from './package-folder.ts'

const Package = z.object({ version: z.string() })

/** The agent's own version, from its package. */
export const agentVersion = Package.parse(JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))).version

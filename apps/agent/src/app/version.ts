import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageFolder } from '../kernel/package-folder.ts'

const Package = z.object({ version: z.string(), commit: z.string().optional() })

const { version, commit } = Package.parse(JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')))

/** The agent's own version, from its package, with the commit where a release has written it there. */
export const agentVersion = commit === undefined ? version : `${version}+${commit}`

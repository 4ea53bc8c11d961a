import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from './package-folder.ts'

// Our own file, without zod: the launcher reads it at every start.
const own = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  version: string
  commit?: string
  at?: number
}

/** The agent's own version, from its package, with the commit where a release has written it there. */
export const agentVersion = own.commit === undefined ? own.version : `${own.version}+${own.commit}`

/** When its sources were committed, seconds; 0 for one that is of no release. */
export const agentTime = own.at ?? 0

/**
 * The programs of instances, in a place that every user may read: the checkout may lie in a home that only root can
 * enter.
 *   <runDir>/node-<version>-<arch>   this process's own Node
 *   <runDir>/agent-<hash>/           the agent and the packages it uses, each at its path in the checkout
 *   <runDir>/restic-<time>-<size>    the restic that makes backups, if there is one; it stays, because agents that run
 *                                    for months start it without naming it
 *
 * Each copy appears complete and never changes, so running programs are not disturbed. Other unused copies are removed
 * after some days.
 */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { arch } from 'node:os'
import { dirname, join } from 'node:path'
import type { SystemUser } from '../../../../platform/data-folder/system-user.ts'
import { installRoot } from '../../../../platform/install.ts'
import { agentProgram, launcher, listAgentParts } from './agent-parts.ts'
import { hasCode } from './instance-folder.ts'
import { namesAnyProcess } from './process-table.ts'

/** The programs of an instance, and the user they run as. */
export interface InstanceRuntime {
  node: string
  launcher: string
  program: string
  /** Undefined: the agent finds one itself. */
  restic: string | undefined
  /** Undefined: the user of this process. */
  user: SystemUser | undefined
}

/** Another deployment's start may be about to use what nothing runs from now. */
const keptUnusedMs = 7 * 24 * 60 * 60 * 1000

/** Copies what is not there yet to `runDir`. Throws with the reason when it cannot be. */
export function copyRuntime(runDir: string, user: SystemUser, resticProgram?: string): InstanceRuntime {
  makeOpenFolder(runDir, 0o755)
  const { uid, mode } = statSync(runDir)
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${runDir} can be written by others than root`)
  const node = join(runDir, `node-${process.version}-${arch()}`)
  if (!existsSync(node)) {
    appear(node, (draft) => {
      copyFileSync(process.execPath, draft, constants.COPYFILE_FICLONE)
      chmodSync(draft, 0o755)
    })
  }
  const parts = listAgentParts()
  const agent = join(runDir, `agent-${parts.hash}`)
  if (!existsSync(agent)) appear(agent, (draft) => copyAgent(draft, parts, user))
  const restic = copyRestic(runDir, resticProgram)
  const now = new Date()
  for (const used of [node, agent, ...(restic === undefined ? [] : [restic])]) utimesSync(used, now, now)
  removeUnused(runDir)
  return { node, launcher: join(agent, launcher), program: join(agent, agentProgram), restic, user }
}

function copyRestic(runDir: string, program: string | undefined): string | undefined {
  const found = program === undefined ? undefined : statSync(program, { throwIfNoEntry: false })
  if (program === undefined || !found?.isFile()) return undefined
  const restic = join(runDir, `restic-${Math.trunc(found.mtimeMs / 1000)}-${found.size}`)
  if (!existsSync(restic))
    appear(restic, (draft) => {
      copyFileSync(program, draft, constants.COPYFILE_FICLONE)
      chmodSync(draft, 0o755)
    })
  return restic
}

/** Makes `folder` with `mode`, and what is missing above it so that every user can pass, whatever the umask. */
export function makeOpenFolder(folder: string, mode: number): void {
  const first = mkdirSync(folder, { recursive: true })
  for (let made = folder; first !== undefined && made.length > first.length; ) {
    made = dirname(made)
    chmodSync(made, 0o755)
  }
  if (first !== undefined) chmodSync(folder, mode)
}

function copyAgent(draft: string, { files, links }: ReturnType<typeof listAgentParts>, user: SystemUser): void {
  for (const { path, source } of files) {
    mkdirSync(dirname(join(draft, path)), { recursive: true })
    copyFileSync(source, join(draft, path))
  }
  // The agent keeps its compiled code here; only instances run it.
  const cache = join(draft, 'apps/agent/.cache')
  mkdirSync(cache)
  chmodSync(draft, 0o755)
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
  lchownSync(cache, user.uid, user.gid)
  for (const { path, target } of links) {
    mkdirSync(dirname(join(draft, path)), { recursive: true, mode: 0o755 })
    chmodSync(dirname(join(draft, path)), 0o755)
    symlinkSync(target, join(draft, path))
  }
}

/** Has `path` appear whole, made by `make` under another name. Of several makers any one wins: they make the same. */
function appear(path: string, make: (draft: string) => void): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    make(draft)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
}

function removeUnused(runDir: string): void {
  for (const name of readdirSync(runDir).filter((entry) => /^(node|agent)-/.test(entry))) {
    const path = join(runDir, name)
    const used = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - used > keptUnusedMs && !namesAnyProcess(path)) rmSync(path, { recursive: true, force: true })
  }
}

/** The agent of this checkout, run by this process's own Node and user. */
export function checkoutRuntime(resticProgram?: string): InstanceRuntime {
  return {
    node: process.execPath,
    launcher: join(installRoot, launcher),
    program: join(installRoot, agentProgram),
    restic: resticProgram,
    user: undefined,
  }
}

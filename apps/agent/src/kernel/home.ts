/**
 * The agent's folder:
 *   agent.json    who this agent is: its token and instance. Losing it means enrolling again
 *   state.json    install, activation, the control plane's last messages
 *   backup/       passwords of backups and what restic needs (`backup/repository/backup-place.ts`); restored/ beside it
 *   tasks.json    tasks of the control plane that run, and ends that it has not seen
 *   sessions.json signed-in browsers, by hash; sign-ins.json the last tries to sign in
 *   app-passwords.json passwords of devices for WebDAV, by hash; dav-properties.json what programs noted over WebDAV
 *   run.json      the running process; written when it listens
 *   program/      newer versions of the agent, and which of them runs (`launch/choice.ts`)
 *   drive/        the owner's files, exactly as named; no other file is in it
 *   uploads/      half-written uploads and entries on their way out; emptied at start (`drive/set-aside.ts`)
 *   partial/      uploads that may go on, a file and a note each (`drive/partial-uploads.ts`); no backup has them
 *   script/       of the operator's script, which knows it as ATOLL_HOME; made when one runs
 * drive/, uploads/ and partial/ are on one file system: a finished upload is renamed into place.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { z } from 'zod'
import { hasErrorCode } from './atomic-file.ts'
import { Fatal } from './fatal.ts'
import { describeError } from './log.ts'

export type Home = Awaited<ReturnType<typeof openHome>>

/** Makes the folder (private to this user) and names what is in it; throws `Fatal` (exit 5) when it cannot be used. */
export async function openHome(folder: string) {
  const root = resolve(folder)
  const inside = (name: string) => join(root, name)
  const home = {
    folder: root,
    identity: inside('agent.json'),
    state: inside('state.json'),
    tasks: inside('tasks.json'),
    sessions: inside('sessions.json'),
    signIns: inside('sign-ins.json'),
    appPasswords: inside('app-passwords.json'),
    davProperties: inside('dav-properties.json'),
    run: inside('run.json'),
    program: inside('program'),
    drive: inside('drive'),
    uploads: inside('uploads'),
    partial: inside('partial'),
    script: inside('script'),
  }
  try {
    await mkdir(root, { recursive: true, mode: 0o700 })
    await mkdir(home.uploads, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Fatal('home', `the folder ${root} cannot be used: ${describeError(error)}`)
  }
  return home
}

/** `text` for the control plane and people: where the home lies on the machine is the provider's business alone. */
export function hideHome({ folder }: Pick<Home, 'folder'>, text: string): string {
  return text.replaceAll(folder, '')
}

/** Removes what a killed agent left half-written. Only the one agent that holds the lock may call it. */
export async function removeLeftovers(home: Home): Promise<number> {
  const uploads = await readdir(home.uploads)
  const temporary = (await readdir(home.folder)).filter((name) => name.endsWith('.tmp'))
  for (const name of uploads) await rm(join(home.uploads, name), { recursive: true, force: true })
  for (const name of temporary) await rm(join(home.folder, name), { force: true })
  return uploads.length + temporary.length
}

/**
 * Reads a JSON file of the agent; undefined if there is none. One that does not parse is `Fatal` (exit 5): writes are
 * atomic, so it was damaged from outside, and starting over silently would lose the owner's password.
 */
export async function readJsonFile<T extends z.ZodType>(path: string, shape: T): Promise<z.output<T> | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw new Fatal('home', `${path} cannot be read: ${describeError(error)}`)
  }
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    // The error would quote the file, and files here hold secrets.
    throw new Fatal('home', `${path} is damaged; restore it or remove it`)
  }
}

/**
 * Removes this agent's identity and everything generated from the control plane's secrets; with `wipe` everything else
 * too, the owner's files among it. The folder itself stays: the program that started the agent made it.
 */
export async function forget(home: Home, wipe: boolean): Promise<void> {
  const own = ['agent.json', 'tasks.json', 'backup', 'restored', 'frpc.toml', 'cloudflared.json', 'cloudflared.yml']
  const names = wipe ? await readdir(home.folder) : own
  for (const name of names) await rm(join(home.folder, name), { recursive: true, force: true })
}

/** A repository of a task, opened: stale locks of killed runs are gone, and its password is known to be right. */
import { getCACertificates } from 'node:tls'
import type { TaskRepository } from '@atoll/contract/agents'
import { normalPassword, passwordFault, passwordForms } from '@atoll/contract/backups'
import { writeFileAtomic } from '../../kernel/atomic-file.ts'
import { hideHome } from '../../kernel/home.ts'
import { type BackupPlace, clearTemporary } from './backup-place.ts'
import { BackupProblem } from './restic-failure.ts'
import { RepositoryConfig, readResticJson } from './restic-output.ts'
import { type ResticRun, runRestic } from './restic-process.ts'
import { type Differences, differencesOf, type Restic } from './restic-version.ts'

/** Opening is tried again for this long, ms. */
const openPatienceMs = 5000

export interface Repository {
  differences: Differences
  /** Runs `restic args`; `cwd`: where relative paths begin. See `runRestic`. */
  run(args: readonly string[], options?: RunOptions): Promise<number>
  /** The output of `restic args`, as one text. */
  read(args: readonly string[]): Promise<string>
  /** The repository's own id, which only its password opens. */
  id(): Promise<string>
}

export type RunOptions = Partial<
  Pick<
    ResticRun,
    'lastArgs' | 'cwd' | 'newPassword' | 'patienceMs' | 'stop' | 'allowed' | 'onLine' | 'onErrorLine' | 'takeOutput'
  >
>

export interface RepositoryOptions {
  restic: Restic
  place: BackupPlace
  target: TaskRepository
  password: string
  signal: AbortSignal
  /** Makes the repository where there is none. */
  mayMake: boolean
}

/** `password`: in the form that opens it, which may be another than the one that was given. */
export async function openRepository(
  options: RepositoryOptions,
): Promise<{ repository: Repository; password: string }> {
  await clearTemporary(options.place)
  const fault = passwordFault(options.password)
  const unfit = new BackupProblem('unfit_password', 'No repository is made with it.')
  if (options.mayMake && fault === 'control') throw unfit
  try {
    // A server that is down may be back at the next try of the whole task.
    return await tryForms(options, (repository) => repository.run(['unlock'], { patienceMs: openPatienceMs }))
  } catch (error) {
    if (!options.mayMake || !(error instanceof BackupProblem) || error.failure !== 'no_repository') throw error
    if (fault === 'blank') throw unfit
    const password = normalPassword(options.password)
    const repository = await reachRepository({ ...options, password })
    await repository.run(['init'])
    return { repository, password }
  }
}

/** Acts with the password in each form that it may have had when the repository was made, until one opens it. */
async function tryForms(
  options: Omit<RepositoryOptions, 'mayMake'>,
  act: (repository: Repository) => Promise<unknown>,
): Promise<{ repository: Repository; password: string }> {
  let refused: unknown
  for (const password of passwordForms(options.password)) {
    const repository = await reachRepository({ ...options, password })
    try {
      await act(repository)
      return { repository, password }
    } catch (error) {
      if (!(error instanceof BackupProblem) || error.failure !== 'wrong_password') throw error
      refused ??= error
    }
  }
  throw refused
}

/**
 * The repository as it is, beside whatever task runs: nothing of it is unlocked, made or cleared, and nobody knows yet
 * whether the password is right. Its commands are given `--no-lock`.
 */
export async function reachRepository(options: Omit<RepositoryOptions, 'mayMake'>): Promise<Repository> {
  const { restic, place, target, password, signal } = options
  const url = new URL(target.url)
  if (url.protocol === 'https:') await writeFileAtomic(place.authorities, trusted())
  url.username = target.grantId
  url.password = target.token
  const common = {
    program: restic.program,
    password,
    repository: `rest:${url.href.replace(/\/?$/, '/')}`,
    signal,
    env: {
      HOME: place.folder,
      TMPDIR: place.tmp,
      RESTIC_CACHE_DIR: place.cache,
      ...(url.protocol === 'https:' && { RESTIC_CACERT: place.authorities }),
    },
    // Where the drive and what is restored lie is no business of the control plane: both are beside `backup/`.
    hide: (text: string) =>
      hideHome({ folder: place.home }, text.replaceAll(target.token, '***').replaceAll(password, '***')),
  }

  async function run(args: readonly string[], { cwd = place.folder, ...options }: RunOptions = {}): Promise<number> {
    return await runRestic({ ...common, ...options, args, cwd })
  }

  async function read(args: readonly string[]): Promise<string> {
    const lines: string[] = []
    await run(args, { onLine: (line) => lines.push(line) })
    return lines.join('\n')
  }

  return {
    differences: differencesOf(restic.version),
    run,
    read,
    id: async () => readResticJson(await read(['cat', 'config']), RepositoryConfig).id,
  }
}

/**
 * The authorities that this agent trusts itself (Node's own, and with https the system's): the guest of an image has
 * no list of them.
 */
function trusted(): string {
  return getCACertificates('default').join('\n')
}

/**
 * Backups of this machine's drive: its key, the restic that it runs, and the tasks of lane `restic`. Everything that
 * restic does is asked for by the control plane; the agent decides nothing but what it refuses.
 */
import { join } from 'node:path'
import { type BackupKey, type TaskRepository, taskKinds } from '@atoll/contract/agents'
import type { Drive } from '../drive/drive.ts'
import type { Step } from '../drive/install-step.ts'
import { type AgentTask, defineAgentTask } from '../kernel/agent-task.ts'
import type { Home } from '../kernel/home.ts'
import { checkRepository, nameDamage, pruneRepository } from './backup-care.ts'
import { clearDrill, runDrill } from './backup-drill.ts'
import { changePassword } from './backup-password.ts'
import { runRestore } from './backup-restore.ts'
import { runBackup } from './backup-run.ts'
import { type BackupFiles, type BackupFilesOptions, createBackupFiles } from './browse/backup-files.ts'
import { runLook } from './browse/look-task.ts'
import { createDriveWait } from './drive-wait.ts'
import { type ExchangeFolders, resumeExchange } from './exchange.ts'
import { openBackupKeys } from './repository/backup-keys.ts'
import { openBackupPlace, trimCache } from './repository/backup-place.ts'
import { openRepository, type Repository } from './repository/repository.ts'
import { BackupProblem } from './repository/restic-failure.ts'
import { findRestic, type Restic } from './repository/restic-version.ts'
import { openUnreadFiles } from './repository/unread-files.ts'

/** How often restic is searched for while there is none: somebody may install it. ms */
const searchAgainMs = 60_000

export interface BackupsOptions {
  home: Home
  /** The program that the agent was given, before those in PATH. */
  resticPath: string | undefined
  /** Not where the machine is the owner's own: what is sealed for another one, its operator could read there. */
  mayReseal: boolean
  /** restic was found. */
  onChange(): void
  /**
   * For this machine's own log: `what` failed. A replace that was cut off and cannot be completed is tried again at the
   * next start.
   */
  onDefect(what: string, error: unknown): void
}

export interface Backups {
  publicKey: BackupKey
  mayReseal: boolean
  /** Of the restic that runs here; null where none does, and until the first search. */
  resticVersion(): string | null
  /** `files`: as `openFiles` gives them. */
  tasks(drive: Drive, files: BackupFiles): AgentTask[]
  /** Step `restore` of an install: resolves once a snapshot has become the drive. */
  awaitDrive: Step
  /** Single files of what is kept, for the owner. */
  openFiles(options: Pick<BackupFilesOptions, 'source' | 'drive' | 'onDefect' | 'walkMs'>): BackupFiles
  /** Searches for restic, at once and again. */
  start(): void
  stop(): void
}

interface Asked {
  repository: TaskRepository
  backupId: string
  box?: string | undefined
}

/** Also carries a restore to its end that was cut off while it changed the drive: to be opened before the drive is. */
export async function openBackups({
  home,
  resticPath,
  mayReseal,
  onChange,
  onDefect,
}: BackupsOptions): Promise<Backups> {
  const place = await openBackupPlace(home.folder)
  const folders: ExchangeFolders = { journal: place.exchange, drive: home.drive, restored: place.restored }
  // Nothing is lost of what it left, and an agent that does not start would help nobody.
  await resumeExchange(folders).catch((error: unknown) => onDefect('a replace of files could not be carried on', error))
  await clearDrill(place.drilled)
  const keys = await openBackupKeys(place.folder)
  const unread = openUnreadFiles(place.unread)
  const wait = createDriveWait(folders)
  let restic: Restic | undefined
  let nextSearch: NodeJS.Timeout | undefined
  const stopping = new AbortController()

  async function search(): Promise<void> {
    const found = await findRestic(resticPath)
    if (found?.version !== restic?.version) {
      restic = found
      onChange()
    }
    restic = found
  }

  /** Opens the repository, acts, and says as a result what kind of failure it was. */
  async function withRepository<Result>(
    { repository: target, backupId, box }: Asked,
    { signal, mayMake = false }: { signal: AbortSignal; mayMake?: boolean },
    act: (repository: Repository) => Promise<Result>,
  ) {
    try {
      // It may have been installed, updated or removed since the last search.
      await search()
      if (!restic) throw noRestic()
      const password = await keys.find(backupId, box)
      const opened = await openRepository({ restic, place, target, password, signal, mayMake })
      const { repository } = opened
      await keys.keep(backupId, opened.password)
      const result = await act(repository).catch(async (error: unknown) => {
        throw await nameDamage(repository, error)
      })
      await trimCache(place)
      return result
    } catch (error) {
      return failureResult(error)
    }
  }

  return {
    publicKey: keys.publicKey,
    mayReseal,
    resticVersion: () => restic?.version ?? null,
    start() {
      const searchAndPlan = async () => {
        await search()
        if (!restic) nextSearch = setTimeout(() => void searchAndPlan(), searchAgainMs).unref()
      }
      void searchAndPlan()
    },
    stop() {
      clearTimeout(nextSearch)
      stopping.abort(new Error('the agent stops'))
    },
    openFiles: (options) =>
      createBackupFiles({
        ...options,
        place,
        keys,
        unread,
        folders: { root: home.drive, uploads: home.uploads },
        signal: stopping.signal,
        async findRestic() {
          if (!restic) await search()
          return restic
        },
      }),
    tasks: (drive, files) => [
      defineAgentTask(taskKinds['backup.run'], ({ params, signal, progress }) =>
        withRepository(params, { signal, mayMake: params.first }, (repository) =>
          runBackup(repository, home.drive, params, {
            progress,
            signal,
            hashFile: join(place.hashes, `${params.backupId}.json`),
            noteUnread: (paths) => unread.note(params.backupId, 'run', paths),
          }),
        ),
      ),
      defineAgentTask(taskKinds['backup.restore'], ({ taskId, params, signal, progress }) =>
        wait.during(params.target.way === 'newCluster', () =>
          withRepository(params, { signal }, (repository) =>
            runRestore({
              repository,
              taskId,
              folders,
              drive,
              params,
              progress,
              keys,
              signal,
              noteUnread: (paths) => unread.note(params.backupId, 'restore', paths),
            }),
          ),
        ),
      ),
      defineAgentTask(taskKinds['backup.check'], ({ params, signal, progress }) =>
        withRepository(params, { signal }, (repository) => checkRepository(repository, params.part, progress)),
      ),
      defineAgentTask(taskKinds['backup.drill'], ({ params, signal, progress }) =>
        withRepository(params, { signal }, (repository) =>
          runDrill({
            repository,
            folder: place.drilled,
            drive,
            params,
            signal,
            progress,
          }),
        ),
      ),
      defineAgentTask(taskKinds['backup.look'], ({ params, signal }) =>
        runLook({ keys, files, signal, onDefect: (error) => onDefect('files were not listed', error) }, params),
      ),
      defineAgentTask(taskKinds['backup.reseal'], async ({ params: { backupId, to } }) => {
        try {
          if (!mayReseal) throw new BackupProblem('no_password', 'The password of this machine stays on it.')
          return { outcome: 'done', box: await keys.reseal(backupId, to) } as const
        } catch (error) {
          return failureResult(error)
        }
      }),
      defineAgentTask(taskKinds['backup.password'], async ({ params, signal }) => {
        try {
          await search()
          if (!restic) throw noRestic()
          return await changePassword({ keys, params, restic, place, target: params.repository, signal })
        } catch (error) {
          return failureResult(error)
        }
      }),
      defineAgentTask(taskKinds['backup.prune'], ({ params, signal, progress }) =>
        withRepository(params, { signal }, (repository) => pruneRepository(repository, params.maxMoved, progress)),
      ),
    ],
    awaitDrive: wait.step,
  }
}

const noRestic = () => new BackupProblem('no_restic', 'No restic of 0.14.0 or newer runs on this machine.')

/** A problem of a known kind as the result of a task; throws what is none. */
function failureResult(error: unknown) {
  if (!(error instanceof BackupProblem)) throw error
  const { failure, message } = error
  return { outcome: 'failed', failure, text: message.slice(0, 500) } as const
}

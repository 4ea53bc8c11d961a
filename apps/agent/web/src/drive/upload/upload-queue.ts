/**
 * Uploads under way, whatever folder is on the screen.
 *
 * waiting → running → done | failed | exists | canceled; retry and replace put one back to waiting. Only this queue
 * writes the states. At most `parallel` run at once, oldest first.
 */
import { ApiProblem } from '../../api/call.ts'
import { uploadFile } from '../../api/upload.ts'
import { joinPath, nextFreeName } from '../paths.ts'

export interface Upload {
  readonly id: number
  readonly folder: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly sent: number
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'exists' | 'canceled'
  /** With `failed`. */
  readonly error: unknown
}

interface Job extends Upload {
  file: File
  replace: boolean
  stop: AbortController
}

/** Two keep a home line busy; more only make each slower. */
const parallel = 2

export function createUploadQueue(upload: typeof uploadFile = uploadFile) {
  const listeners = new Set<() => void>()
  const doneListeners = new Set<(folder: string) => void>()
  let jobs: readonly Job[] = []
  let lastId = 0

  function change(id: number, next: Partial<Job>): void {
    jobs = jobs.map((job) => (job.id === id ? { ...job, ...next } : job))
    for (const listener of listeners) listener()
  }

  function startNext(): void {
    const running = jobs.filter((job) => job.state === 'running').length
    for (const job of jobs.filter((each) => each.state === 'waiting').slice(0, parallel - running)) void run(job)
  }

  async function run({ id, folder, name, file, replace, stop }: Job): Promise<void> {
    change(id, { state: 'running', sent: 0, error: undefined })
    try {
      const onProgress = (sent: number) => change(id, { sent })
      await upload({ path: joinPath(folder, name), file, replace, signal: stop.signal, onProgress })
      change(id, { state: 'done', sent: file.size })
      for (const listener of doneListeners) listener(folder)
    } catch (error) {
      if (stop.signal.aborted) change(id, { state: 'canceled' })
      else if (error instanceof ApiProblem && error.code === 'exists') change(id, { state: 'exists' })
      else change(id, { state: 'failed', error })
    } finally {
      startNext()
    }
  }

  /** Puts one back in line, with a fresh way to stop it. */
  function again(id: number, next: Partial<Job> = {}): void {
    change(id, { ...next, state: 'waiting', sent: 0, stop: new AbortController() })
    startNext()
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Calls `listener` with the folder whenever a file has arrived. */
    onDone(listener: (folder: string) => void): () => void {
      doneListeners.add(listener)
      return () => doneListeners.delete(listener)
    },
    list: (): readonly Upload[] => jobs,

    add(folder: string, files: readonly File[]): void {
      const added = files.map((file): Job => {
        lastId += 1
        const { name, size } = file
        const stop = new AbortController()
        return {
          id: lastId,
          folder,
          name,
          size,
          sent: 0,
          state: 'waiting',
          error: undefined,
          file,
          replace: false,
          stop,
        }
      })
      jobs = [...jobs, ...added]
      for (const listener of listeners) listener()
      startNext()
    },

    cancel(id: number): void {
      const job = jobs.find((each) => each.id === id)
      if (job?.state === 'running') job.stop.abort(new DOMException('canceled', 'AbortError'))
      else change(id, { state: 'canceled' })
    },
    retry: (id: number): void => again(id),
    replace: (id: number): void => again(id, { replace: true }),
    keepBoth(id: number): void {
      const job = jobs.find((each) => each.id === id)
      if (job) again(id, { name: nextFreeName(job.name) })
    },
    /** Forgets finished uploads. Running ones go on. */
    clear(): void {
      jobs = jobs.filter((job) => job.state === 'running' || job.state === 'waiting')
      for (const listener of listeners) listener()
    },
  }
}

export const uploads = createUploadQueue()

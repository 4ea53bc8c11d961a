/**
 * Step `restore` of an install: waits until a snapshot has become the drive, which a task of its own brings about, so
 * that a wrong password fails the task and repeats no step. The step's lines report what the task does.
 */
import { EventEmitter, once } from 'node:events'
import type { RestoreResult } from '@atoll/contract/agents'
import type { Step } from '../drive/install-step.ts'
import { type ExchangeFolders, findDriveExchanged } from './exchange.ts'

export interface DriveWait {
  step: Step
  /** Runs `restore`, and with `isAwaited` reports its progress to the step. */
  during(isAwaited: boolean, restore: () => Promise<RestoreResult>): Promise<RestoreResult>
}

export function createDriveWait(folders: ExchangeFolders): DriveWait {
  const events = new EventEmitter<{ line: [string]; restored: [] }>()
  return {
    async step({ signal, say }) {
      const report = (text: string) => say('restore', text)
      events.on('line', report)
      try {
        // Listens before it checks: nothing can come between.
        const restored = once(events, 'restored', { signal })
        restored.catch(() => undefined) // nobody may wait for it
        if (!(await findDriveExchanged(folders))) {
          report('waiting for the password of the backup')
          await restored
        }
        const result = await findDriveExchanged(folders)
        if (result?.outcome === 'done') report(`${result.files} files, ${result.bytes} bytes`)
      } finally {
        events.off('line', report)
      }
    },
    async during(isAwaited, restore) {
      if (!isAwaited) return await restore()
      events.emit('line', 'opening the repository')
      const result = await restore()
      if (result.outcome === 'done') events.emit('restored')
      else if (result.failure === 'wrong_password')
        events.emit('line', 'wrong password, no key found; waiting for another one')
      else events.emit('line', result.text)
      return result
    },
  }
}

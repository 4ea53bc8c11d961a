/** Why a step failed, in words for the owner of a cluster: what happened, and what to do. */
import { hasErrorCode } from '../kernel/atomic-file.ts'
import { describeError } from '../kernel/log.ts'

/** At most 500 characters (`InstallState.reason`). Never a stack, never a path of the machine. */
export function explainFailure(error: unknown, step: string): string {
  return sentenceOf(error, step).slice(0, 500)
}

function sentenceOf(error: unknown, step: string): string {
  if (hasErrorCode(error, 'ENOSPC', 'EDQUOT'))
    return 'The disk of the instance is full. Choose a larger disk, or free space, and retry.'
  if (hasErrorCode(error, 'EROFS'))
    return 'The disk of the instance is read-only. It may be damaged; check it, and retry.'
  if (hasErrorCode(error, 'EACCES', 'EPERM'))
    return 'The agent may not write to its own folder. Correct the permissions, and retry.'
  if (hasErrorCode(error, 'EIO')) return 'The disk of the instance answers with errors. Replace it, and retry.'
  if (hasErrorCode(error, 'EMFILE', 'ENFILE')) return 'The instance has too many open files. Restart it, and retry.'
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `The step “${step}” took too long and was given up. Retry it.`
  return describeError(error)
}

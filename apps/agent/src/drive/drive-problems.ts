/** Refusals that more than one part of the drive makes. */
import { hasErrorCode } from '../kernel/atomic-file.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { formatDrivePath } from './drive-path.ts'

export function notFound(names: readonly string[]): HttpProblem {
  return new HttpProblem(404, 'notFound', `There is no ${formatDrivePath(names)}.`)
}

export function storageLimit(): HttpProblem {
  const text = 'Your storage limit has been exceeded. Upgrade your plan to increase your storage.'
  return new HttpProblem(507, 'storageLimit', text)
}

export function diskFull(): HttpProblem {
  return new HttpProblem(507, 'diskFull', 'The disk is full. Free space, or choose a larger disk.')
}

/** Throws `error`, as a refusal where the disk is full. */
export function asProblem(error: unknown): never {
  if (hasErrorCode(error, 'ENOSPC', 'EDQUOT')) throw diskFull()
  throw error
}

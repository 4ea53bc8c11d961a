/** Which refused actions a menu leaves out: their reason says no more than the status beside it. */
import { type ClusterAction, type ClusterStatus, type InstanceAction, statusLook } from '@atoll/contract/clusters'

interface Thing {
  status: ClusterStatus
  /** Of an instance. */
  role?: 'master' | 'worker'
}

const going: ReadonlySet<ClusterStatus> = new Set(['destroying', 'destroyed', 'canceling', 'canceled'])

/**
 * What a refusal tells nobody: that what runs cannot be started, what rests not be stopped, and that a master is not
 * destroyed as a worker is. While the thing moves, a reader of the reason learns what to wait for; a lack of room, or
 * a machine that is switched on and off by hand, the status does not say.
 */
export function isObvious(
  action: ClusterAction | InstanceAction,
  { status, role }: Thing,
  { isSelfHosted, osActive }: { isSelfHosted: boolean; osActive: boolean },
): boolean {
  if (going.has(status)) return true
  const isMoving = statusLook(status).shape === 'ring'
  const isRunning = status === 'running' || status === 'inactivated'
  switch (action) {
    case 'start':
      return isRunning && !isSelfHosted
    case 'stop':
      return status === 'stopping' || (!isMoving && !isRunning && !isSelfHosted)
    case 'restart':
      return !isMoving && !isRunning
    case 'activate':
      return osActive
    case 'destroyWorker':
      return role === 'master'
    default:
      return false
  }
}

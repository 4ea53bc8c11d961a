/** Which refused actions a menu leaves out: their reason says no more than the status beside it. */
import { type ClusterAction, type ClusterStatus, type InstanceAction, statusLook } from '@atoll/contract/clusters'

interface Thing {
  status: ClusterStatus
  /** Of an instance. */
  role?: 'master' | 'worker'
}

const going: ReadonlySet<ClusterStatus> = new Set(['destroying', 'destroyed', 'canceling', 'canceled'])

/**
 * Refusals that tell nobody anything: a running thing cannot be started, a stopped one not be stopped, and a master is
 * not destroyed as a worker is. While it is changing, a reader of the reason learns what to wait for; the status does
 * not name a lack of room, or a machine that is switched on and off by hand.
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

/**
 * Why an action on a cluster or an instance is not possible now. The same sentence stands
 * beside the action in `refusals` and answers a call that asks for it all the same.
 */
import { codes } from '../wire/envelope.ts'

export const actionRefusals = {
  actionRefused: { code: codes.conflict },
  actionWhileMoving: { code: codes.conflict },
  actionAfterEnd: { code: codes.conflict },
  startsByItself: { code: codes.conflict },
  destroyHeld: { code: codes.conflict },
  givenUp: { code: codes.conflict },
  nothingToGiveUp: { code: codes.conflict },
  notGivenUp: { code: codes.conflict },
  addressTaken: { code: codes.conflict },
  noMachineToReplace: { code: codes.conflict },
  rivalActive: { code: codes.conflict },
  alreadyStopping: { code: codes.conflict },
  alreadyRunning: { code: codes.conflict },
  alreadyStopped: { code: codes.conflict },
  notRunning: { code: codes.conflict },
  alreadyActive: { code: codes.conflict },
  notActiveYet: { code: codes.conflict },
  noOneTimePassword: { code: codes.conflict },
  nothingToRetry: { code: codes.conflict },
  nothingToRepair: { code: codes.conflict },
  tooLateToCancel: { code: codes.conflict },
  nothingUnpaid: { code: codes.conflict },
  nothingToKeep: { code: codes.conflict },
  alreadyDestroying: { code: codes.conflict },
  workerSelfHosted: { code: codes.conflict },
  tooManyWorkers: { code: codes.conflict },
  masterByCluster: { code: codes.conflict },
  clusterNotRunning: { code: codes.conflict },
  operationEnded: { code: codes.conflict },
} as const

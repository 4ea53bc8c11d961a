/** Operations on a subject of any module: begun, moved on step by step, ended. */

export type { StoredReason, StoredStep } from './operation-steps.ts'
export {
  advanceOperation,
  countLateOperations,
  endOperation,
  insertOperation,
  lastDone,
  lateOperations,
  listRunningOperations,
  moveDeadline,
  type OperationRow,
  operationOn,
  operationsOn,
  runningOperationOf,
  type Subject,
} from './operation-store.ts'

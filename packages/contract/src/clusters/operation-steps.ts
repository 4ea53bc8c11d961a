/** Steps of an operation; all but `draining` are named for the status that an instance passes through meanwhile. */
export const operationSteps = [
  'fetching',
  'queuing',
  'pending',
  'installing',
  'restoring',
  'starting',
  'restarting',
  'stopping',
  'draining',
  'destroying',
  'canceling',
] as const
export type OperationStepKey = (typeof operationSteps)[number]

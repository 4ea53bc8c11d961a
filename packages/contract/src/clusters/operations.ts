/** Operations: what a person or the system does to a cluster, from asking to its end (design/lifecycle). */
import { z } from 'zod'
import { RestoreSource } from '../backups/ids.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, InstanceId, IsoTime, OperationId, RequestId } from '../wire/fields.ts'
import { operationSteps } from './operation-steps.ts'
import { ClusterStatus } from './status.ts'

export const operationKinds = [
  'create',
  'start',
  'stop',
  'restart',
  'destroy',
  'retry',
  'addWorker',
  'destroyWorker',
  'repair',
  'replaceMachine',
  'cancel',
  'recover',
] as const
export type OperationKind = (typeof operationKinds)[number]

export const OperationStep = z.object({
  step: z.enum(operationSteps),
  state: z.enum(['pending', 'running', 'done', 'failed', 'canceled']),
  startedAt: IsoTime.nullable(),
  endedAt: IsoTime.nullable(),
  /** In the caller's language: why it failed, or what holds it up while it runs; null when all is well. */
  detail: z.string().nullable(),
})
export type OperationStep = z.infer<typeof OperationStep>

export const Operation = z.object({
  operationId: OperationId,
  /** The one instance it is about; null: the cluster as a whole. */
  instanceId: InstanceId.nullable(),
  kind: z.enum(operationKinds),
  state: z.enum(['running', 'done', 'failed', 'canceled']),
  /** In order; those still to come are `pending`. */
  steps: z.array(OperationStep),
  startedAt: IsoTime,
  endedAt: IsoTime.nullable(),
  /** When it is given up, with a reason, should it still run. */
  deadlineAt: IsoTime,
  /** Whether `operation/cancel` is accepted now. */
  cancellable: z.boolean(),
  /** Userid of the person who asked; null: the system. */
  by: z.string().nullable(),
  /** Why it failed or was canceled, in the caller's language. */
  error: z.string().nullable(),
})
export type Operation = z.infer<typeof Operation>

export const operationCancel = defineCall({
  name: 'operationCancel',
  path: '/v1/resource/operation/cancel',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary: 'Cancels a running operation while what it makes still waits for resources.',
  body: z.strictObject({ operationId: OperationId, requestId: RequestId.optional() }),
  data: z.object({ status: ClusterStatus }),
})

export const clusterRepair = defineCall({
  name: 'clusterRepair',
  path: '/v1/resource/repair',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary:
    'Replaces an instance that the provider no longer has. Its files are lost, unless the master’s come back from a backup.',
  body: z.strictObject({
    clusterId: ClusterId,
    instanceId: InstanceId.optional(),
    /** Of the master: a snapshot of the owner's that becomes its drive; left out: it begins empty. */
    restore: RestoreSource.optional(),
    requestId: RequestId.optional(),
  }),
  data: z.object({ status: ClusterStatus }),
})

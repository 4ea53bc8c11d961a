import type { Operation, OperationKind } from '@atoll/contract/clusters'
import { expect, test } from 'vitest'
import { groupOperations } from './group-operations.ts'

const operation = (operationId: string, kind: OperationKind, instanceId: string | null) =>
  ({ operationId, kind, instanceId }) as Operation // what decides is here

test('the same done to several workers is one group; the cluster’s, the master’s and other kinds are their own', () => {
  const groups = groupOperations(
    [
      operation('op_0', 'restart', null),
      operation('op_1', 'addWorker', 'in_1'),
      operation('op_2', 'destroyWorker', 'in_2'),
      operation('op_3', 'addWorker', 'in_3'),
      operation('op_4', 'restart', 'in_master'),
      operation('op_5', 'restart', 'in_5'),
    ],
    'in_master',
  )
  expect(groups.map((group) => group.map(({ operationId }) => operationId))).toEqual([
    ['op_0'],
    ['op_1', 'op_3'],
    ['op_2'],
    ['op_4'],
    ['op_5'],
  ])
})

import type { DomainAction } from '@atoll/contract/domains'
import { isFinished, nextStatus } from '../records/domain-state.ts'
import type { DomainRow } from '../records/domain-store.ts'

/** The owner's possible actions on the domain now: those that the status machine accepts. */
export function actionsOf(
  row: Pick<DomainRow, 'status' | 'contest_until' | 'problem' | 'unseen_since'>,
): DomainAction[] {
  const takes = (event: Parameters<typeof nextStatus>[1]) => nextStatus(row.status, event) !== undefined
  const isAwaiting = row.status === 'WAIT_TXT' || row.status === 'WAIT_NS' || row.status === 'BINDING'
  const canHandOn = row.status === 'ALLOCATED' && row.contest_until === null && row.problem !== 'delegationLost'
  return [
    // One whose records are not seen leads no further until they are.
    ...(isAwaiting || isFinished(row.status) || row.unseen_since !== null ? (['check'] as const) : []),
    ...(takes('switched') ? (['method'] as const) : []),
    ...(takes('restarted') ? (['restart'] as const) : []),
    ...(takes('ruled') ? (['setRule'] as const) : []),
    ...(canHandOn ? (['transfer'] as const) : []),
    'delete',
  ]
}

/** Operations as clients see them: the only place where one becomes JSON. */

import type { ClusterStatus, Operation } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { reasonText } from '@atoll/texts/reasons'
import type { OperationRow } from '../../../platform/operations/index.ts'
import { describeReason } from '../lifecycle/stored-reason.ts'
import { instanceIdOf, isCancellable, wordsOf } from '../operations/operation-store.ts'

/** The instance that carries an operation, as far as it shows in it. */
export interface OperationSubject {
  status: ClusterStatus
  /** The failure that holds it up. */
  last_failure: string | null
}

/** `subject` is left out for one that is gone: nothing of its operations runs. */
export function toOperation(
  row: OperationRow & { /** The DID of who asked for it. */ by_did: string | null },
  subject: OperationSubject | undefined,
  locale: Locale,
): Operation {
  const isRunning = row.state === 'running'
  const { kind, steps } = wordsOf(row)
  return {
    operationId: row.id,
    instanceId: instanceIdOf(row),
    kind,
    state: row.state,
    steps: steps.map(({ detail, ...step }) => ({
      ...step,
      detail: detail
        ? reasonText(detail, locale)
        : isRunning && step.state === 'running'
          ? describeReason(subject?.last_failure ?? null, locale)
          : null,
    })),
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    deadlineAt: row.deadline_at.toISOString(),
    cancellable: isRunning && subject !== undefined && isCancellable(row, subject.status),
    by: row.by_did,
    error: describeReason(row.error, locale),
  }
}

import type { DriveFound } from '@atoll/contract/personal-server'
import { useState } from 'react'
import { useText } from '../../i18n/text.ts'
import { useSubmission } from '../use-submission.ts'

/**
 * A dialog's one call for each of `items`, one after another. A failure stops it and names the entry; the next try goes
 * on there, so that nothing is done twice. Leaving in between calls `onDone` too, since something has changed.
 */
export function useBatch(items: readonly DriveFound[], { onDone, onClose }: { onDone(): void; onClose(): void }) {
  const t = useText()
  const [left, setLeft] = useState(items)
  const { busy, problem, submit } = useSubmission(onDone)
  const [first] = left
  return {
    busy,
    problem: problem && first && items.length > 1 ? t('select.stopped', { name: first.name, problem }) : problem,
    leave: left.length < items.length ? onDone : onClose,
    submit: (act: (item: DriveFound) => Promise<unknown>) =>
      submit(async () => {
        for (const [index, item] of left.entries()) {
          await act(item).catch((error: unknown) => {
            setLeft(left.slice(index))
            throw error
          })
        }
      }),
  }
}

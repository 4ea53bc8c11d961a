import { hashKey, type QueryKey } from '@tanstack/react-query'
import { askAnew } from './ask-anew.ts'

/** Questions under way, and whether something changed since they were asked. */
const asking = new Map<string, { again: boolean }>()

/**
 * Asks again for what stands under `queryKey`: now, or once more when the question under way is answered. So whatever
 * changes during a question is asked for after it, and a place where much changes is not asked about without end, each
 * time anew.
 */
export async function askAgain(
  queryKey: QueryKey,
  ask: () => Promise<unknown> = () => askAnew({ queryKey }),
): Promise<void> {
  const name = hashKey(queryKey)
  const earlier = asking.get(name)
  if (earlier) {
    earlier.again = true
    return
  }
  const state = { again: false }
  asking.set(name, state)
  try {
    do {
      state.again = false
      await ask()
    } while (state.again)
  } finally {
    asking.delete(name)
  }
}

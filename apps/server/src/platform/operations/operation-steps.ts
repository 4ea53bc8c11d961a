/**
 * The steps of an operation as its row keeps them: planned when it begins, moved on as it proceeds. Pure. A step that
 * was not planned is added where it happens, so that the list is always what really took place. Keys belong to the
 * kind.
 */

/** Why something failed, or what holds it up: a key and its parameters, worded by the module that wrote it. */
export interface StoredReason {
  key: string
  params?: Record<string, string | number> | undefined
  cause?: StoredReason | undefined
}

/** Times are ISO 8601. */
export interface StoredStep {
  step: string
  state: 'pending' | 'running' | 'done' | 'failed' | 'canceled'
  startedAt: string | null
  endedAt: string | null
  detail: StoredReason | null
}

/** The steps `keys` of an operation that begins `at` with the first of them. */
export function beginSteps(keys: readonly string[], at: Date): StoredStep[] {
  const planned = keys.map(
    (step): StoredStep => ({ step, state: 'pending', startedAt: null, endedAt: null, detail: null }),
  )
  const [first] = keys
  return first === undefined ? planned : enterStep(planned, first, at)
}

/** `step` begins `at`, and what ran until then is done, with `detail`. Repeating it changes nothing. */
export function enterStep(
  steps: readonly StoredStep[],
  step: string,
  at: Date,
  detail: StoredReason | null = null,
): StoredStep[] {
  if (steps.some((entry) => entry.step === step && entry.state === 'running')) return [...steps]
  const time = at.toISOString()
  const closed = steps.map(
    (entry): StoredStep => (entry.state === 'running' ? { ...entry, state: 'done', endedAt: time, detail } : entry),
  )
  const begun: StoredStep = { step, state: 'running', startedAt: time, endedAt: null, detail: null }
  const planned = closed.findIndex((entry) => entry.step === step && entry.state === 'pending')
  return planned < 0 ? [...closed, begun] : closed.with(planned, begun)
}

/** The operation ends `at`: what ran ends like it, and what was still to come is left out. */
export function endSteps(
  steps: readonly StoredStep[],
  state: 'done' | 'failed' | 'canceled',
  at: Date,
  detail: StoredReason | null,
): StoredStep[] {
  return steps
    .filter((entry) => entry.state !== 'pending')
    .map((entry) => (entry.state === 'running' ? { ...entry, state, endedAt: at.toISOString(), detail } : entry))
}

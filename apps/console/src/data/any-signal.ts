/** Ends with the first of `signals`, for its reason: `AbortSignal.any`, which Safari 17.0 lacks. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const ended = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) ended.abort(signal.reason)
    else signal.addEventListener('abort', () => ended.abort(signal.reason), { once: true, signal: ended.signal })
  }
  return ended.signal
}

/**
 * Does `work` once the browser has nothing else to do, after `patienceMs` all the same. The returned function takes it
 * back.
 */
export function whenIdle(work: () => void, patienceMs: number): () => void {
  // Safari has no idle callback.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, patienceMs)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: patienceMs })
  return () => cancelIdleCallback(handle)
}

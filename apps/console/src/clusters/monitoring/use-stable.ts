import { useState } from 'react'

/** The former `value` while it is equal: results derived from it need not be computed again. */
export function useStable<Value extends object>(value: Value): Value {
  const [kept, setKept] = useState(value)
  if (JSON.stringify(kept) === JSON.stringify(value)) return kept
  setKept(value)
  return value
}

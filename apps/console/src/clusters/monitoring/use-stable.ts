import { useState } from 'react'

/** The `value` of before as long as it says the same: what was made of it need not be made anew. */
export function useStable<Value extends object>(value: Value): Value {
  const [kept, setKept] = useState(value)
  if (JSON.stringify(kept) === JSON.stringify(value)) return kept
  setKept(value)
  return value
}

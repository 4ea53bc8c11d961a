import { useEffect, useState } from 'react'

/** How long a button says that it copied, or that it could not and what to do instead, ms. */
const shownMs = { copied: 1500, failed: 15_000 }

/** Copies texts; `state` says for a moment how it went. */
export function useCopy(): { state: 'idle' | 'copied' | 'failed'; copy: (text: string) => void } {
  const [result, setResult] = useState<{ copied: boolean }>()
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(undefined), result.copied ? shownMs.copied : shownMs.failed)
    return () => clearTimeout(timer)
  }, [result])
  return {
    state: result ? (result.copied ? 'copied' : 'failed') : 'idle',
    copy: (text) => void copyText(text).then((copied) => setResult({ copied })),
  }
}

/** Says whether it worked. Pages on plain http have no clipboard interface, there the old command copies. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  Object.assign(field.style, { position: 'fixed', opacity: '0' })
  // Beside what has focus: a dialog lets focus go nowhere else.
  const place = focused?.parentElement ?? document.body
  place.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

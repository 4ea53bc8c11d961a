/**
 * Short messages about a call that has no place of its own on the page. Shown by `ToastStack`, announced to everyone.
 */
import { useSyncExternalStore } from 'react'
import { isSilent } from './call-failure.ts'

export interface ToastText {
  /** A failure stays until it is closed; the others last `toastTimeoutMs` (spec §9). */
  kind: 'success' | 'failure' | 'info'
  text: string
  /** The person closed it. */
  onClose?: () => void
}

export interface ShownToast extends ToastText {
  id: number
}

const listeners = new Set<() => void>()
let shown: readonly ShownToast[] = []
let lastId = 0

function change(next: readonly ShownToast[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a toast; the returned function closes it. One that is already shown is not stacked: its time starts over. */
export function showToast(toast: ToastText): () => void {
  lastId += 1
  const id = lastId
  const others = shown.filter(({ kind, text }) => kind !== toast.kind || text !== toast.text)
  change([...others, { ...toast, id }])
  return () => closeToast(id)
}

/** Shows why a call failed; nothing for a silent failure (spec §8, body code 401). */
export function showFailure(error: Error): void {
  if (!isSilent(error)) showToast({ kind: 'failure', text: error.message })
}

export function closeToast(id: number): void {
  if (shown.some((toast) => toast.id === id)) change(shown.filter((toast) => toast.id !== id))
}

/** Toasts shown now, oldest first; the component draws again when they change. */
export function useToasts(): readonly ShownToast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    shownToasts,
    shownToasts,
  )
}

export function shownToasts(): readonly ShownToast[] {
  return shown
}

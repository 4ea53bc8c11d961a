/**
 * Short messages about a call that has no place of its own on the page. Shown by `NoticeStack`, announced to everyone.
 */
import { useSyncExternalStore } from 'react'
import { isSilent } from '../../data/call-failure.ts'

export interface NoticeText {
  /** A failure stays until it is closed; the others last `noticeTimeoutMs`, unless they carry an action (spec §9). */
  kind: 'success' | 'failure' | 'info'
  text: string
  /** One thing to do about it; choosing it closes the notice. */
  action?: { label: string; onSelect: () => void }
  /** The person closed it. */
  onClose?: () => void
}

export interface ShownNotice extends NoticeText {
  id: number
}

/** More than this at once is noise: the oldest that would leave by itself leaves at once. */
const mostShown = 4

const listeners = new Set<() => void>()
let shown: readonly ShownNotice[] = []
let lastId = 0

function change(next: readonly ShownNotice[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Whether the notice goes by itself. */
export function isPassing({ kind, action }: NoticeText): boolean {
  return kind !== 'failure' && action === undefined
}

/** Shows a notice; the returned function closes it. One that is already shown is not stacked: it begins anew. */
export function showNotice(notice: NoticeText): () => void {
  lastId += 1
  const id = lastId
  const others = shown.filter(({ kind, text }) => kind !== notice.kind || text !== notice.text)
  const room = others.length < mostShown ? others : withoutOne(others)
  change([...room, { ...notice, id }])
  return () => closeNotice(id)
}

function withoutOne(notices: readonly ShownNotice[]): readonly ShownNotice[] {
  const at = notices.findIndex(isPassing)
  return at < 0 ? notices : notices.toSpliced(at, 1)
}

/** Shows why a call failed; nothing for a silent failure (spec §8, body code 401). */
export function showFailure(error: Error): void {
  if (!isSilent(error)) showNotice({ kind: 'failure', text: error.message })
}

export function closeNotice(id: number): void {
  if (shown.some((notice) => notice.id === id)) change(shown.filter((notice) => notice.id !== id))
}

/** What is shown now, oldest first; the component draws again when it changes. */
export function useNotices(): readonly ShownNotice[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    shownNotices,
    shownNotices,
  )
}

export function shownNotices(): readonly ShownNotice[] {
  return shown
}

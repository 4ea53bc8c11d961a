import { useRef, useState } from 'react'
import { useText } from '../i18n/text.ts'
import classes from './NoticeStack.module.css'
import { NoticeToast } from './NoticeToast.tsx'
import { closeNotice, useNotices } from './show-notice.ts'

/**
 * Bottom left, over everything. Both regions are there from the start: what is added to a region is announced, a
 * region that appears with its text is not. While a person points at a notice or is in one, none goes.
 */
export function NoticeStack() {
  const t = useText()
  const notices = useNotices()
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  /** Where the person was before coming here, and goes back to. */
  const before = useRef<HTMLElement>(null)

  function close(id: number) {
    setPointed(false)
    setFocused(false)
    if (document.activeElement?.closest(`[data-notice="${id}"]`)) before.current?.focus()
    notices.find((notice) => notice.id === id)?.onClose?.()
    closeNotice(id)
  }

  const toasts = (failures: boolean) =>
    notices
      .filter(({ kind }) => (kind === 'failure') === failures)
      .map((notice) => (
        <NoticeToast
          key={notice.id}
          notice={notice}
          held={isPointed || isFocused}
          closeLabel={t('failure.close')}
          onClose={() => close(notice.id)}
        />
      ))

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing can be done with it; it only notices that someone is there
    <div
      className={classes.stack}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={({ currentTarget, relatedTarget }) => {
        setFocused(true)
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
          before.current = relatedTarget
      }}
      onBlur={({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget))}
    >
      <div role="status" aria-atomic="false" className={classes.region}>
        {toasts(false)}
      </div>
      <div role="alert" aria-atomic="false" className={classes.region}>
        {toasts(true)}
      </div>
    </div>
  )
}

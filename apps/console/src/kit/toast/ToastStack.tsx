import { useRef, useState } from 'react'
import { closeToast, useToasts } from '../../data/show-toast.ts'
import { useText } from '../../locales/text.ts'
import { Toast } from './Toast.tsx'
import classes from './ToastStack.module.css'

/**
 * Bottom left, over everything. Both regions are there from the start: what is added to a region is announced, a
 * region that appears with its text is not. While a person points at a toast or is in one, none goes.
 */
export function ToastStack() {
  const t = useText()
  const toasts = useToasts()
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  /** Where the person was before coming here, and goes back to. */
  const before = useRef<HTMLElement>(null)

  function close(id: number) {
    setPointed(false)
    setFocused(false)
    if (document.activeElement?.closest(`[data-toast="${id}"]`)) before.current?.focus()
    toasts.find((toast) => toast.id === id)?.onClose?.()
    closeToast(id)
  }

  const drawn = (failures: boolean) =>
    toasts
      .filter(({ kind }) => (kind === 'failure') === failures)
      .map((toast) => (
        <Toast
          key={toast.id}
          toast={toast}
          paused={isPointed || isFocused}
          closeLabel={t('failure.close')}
          onClose={() => close(toast.id)}
        />
      ))

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that somebody is there
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
        {drawn(false)}
      </div>
      <div role="alert" aria-atomic="false" className={classes.region}>
        {drawn(true)}
      </div>
    </div>
  )
}

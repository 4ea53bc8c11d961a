import { useEffect, useRef } from 'react'
import classes from './ClusterFigures.module.css'

/** A number that changed live flashes its ground for 600 ms. */
export function LiveFigure({ children }: { children: string }) {
  const element = useRef<HTMLSpanElement>(null)
  const before = useRef(children)
  useEffect(() => {
    if (before.current === children) return
    before.current = children
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    element.current?.animate([{ backgroundColor: 'var(--atoll-accent-tint)' }, { backgroundColor: 'transparent' }], 600)
  }, [children])
  return (
    <span ref={element} className={classes.value}>
      {children}
    </span>
  )
}

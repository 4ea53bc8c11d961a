import { Contours, Mark, OtherLanguage } from '@atoll/ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { chooseLocale } from '../i18n/language.ts'
import { useLocale } from '../i18n/text.ts'
import classes from './Cover.module.css'

interface CoverProps {
  /** The server's name, beside the mark. */
  name: string
  /** A small line over the heading. */
  step?: string
  heading: string
  lead?: string | undefined
  /** The column is taller than the lagoon: the chart keeps to its sides. */
  tall?: boolean
  children?: ReactNode
}

/** A page outside the shell: one quiet column on the chart, for setting up, activating and signing in. */
export function Cover({ name, step, heading, lead, tall = false, children }: CoverProps) {
  const top = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new heading is a new page to screen readers
  useEffect(() => top.current?.focus({ preventScroll: true }), [heading])
  return (
    <div className={classes.page}>
      <div className={classes.chart} data-tall={tall || undefined}>
        <Contours className={classes.contours} />
      </div>
      <header className={classes.bar}>
        <span className={classes.brand}>
          <Mark size={24} />
          {name}
        </span>
        <OtherLanguage current={useLocale()} onChoose={(locale) => void chooseLocale(locale)} />
      </header>
      <main className={classes.column}>
        {step && <p className={classes.step}>{step}</p>}
        <h1 ref={top} tabIndex={-1} className={classes.heading}>
          {heading}
        </h1>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </main>
    </div>
  )
}

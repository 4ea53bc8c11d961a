import { Contours, Mark } from '@atoll/ui'
import type { ReactNode } from 'react'
import { useText } from '../../i18n/text.ts'
import classes from './ChartScreen.module.css'
import { Screen } from './Screen.tsx'

interface ChartScreenProps {
  title: string
  lead: string
  /** At the right of the bar. */
  tools?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** The wallet's cover: the chart motif above, what this is for below it. For welcome, not-found and obstacles. */
export function ChartScreen({ title, lead, tools, actions, children }: ChartScreenProps) {
  const t = useText()
  return (
    <Screen tools={tools} actions={actions}>
      <div className={classes.brand}>
        <Mark size={24} />
        {t('app.wallet')}
      </div>
      <div className={classes.chart}>
        <Contours shape="islet" className={classes.contours} />
      </div>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.lead}>{lead}</p>
      {children}
    </Screen>
  )
}

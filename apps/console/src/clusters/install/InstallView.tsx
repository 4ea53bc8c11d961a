import type { Resource } from '@atoll/contract/clusters'
import { InstallStepper, LogView } from '@atoll/ui'
import type { ReactNode } from 'react'
import { CopyValue } from '../../kit/page/CopyValue.tsx'
import { useText } from '../../locales/text.ts'
import { isBeingMade } from '../card/progress-steps.ts'
import { useProgress } from '../card/use-progress.ts'
import classes from './OperationPanel.module.css'

interface InstallViewProps {
  /** The cluster, or one instance of it. */
  cluster: Pick<Resource, 'status' | 'installLog' | 'createAt'>
  /** The object of the log, if a page has several. */
  name?: string | undefined
  /** Instead of the steps of the install. */
  steps?: ReactNode
}

/** The steps of the install beside its log. */
export function InstallView({ cluster, name, steps: other }: InstallViewProps) {
  const t = useText()
  const { steps, at, current, lines } = useProgress(cluster)
  const live = isBeingMade(cluster)
  return (
    <div className={classes.view}>
      <div className={classes.steps}>{other ?? <InstallStepper steps={steps} label={t('detail.stepsLabel')} />}</div>
      <div className={classes.log} data-empty={lines.length === 0 || undefined}>
        <LogView
          lines={lines}
          title={t('detail.log')}
          name={name && t('detail.operationOf', { what: t('detail.log'), name })}
          subtitle={live ? t('detail.logStep', { step: at, title: current?.title ?? '' }) : ''}
          live={live}
          followingLabel={t('detail.following')}
          followLabel={t('detail.follow')}
          emptyLabel={t('cluster.logEmpty')}
          actions={lines.length > 0 && <CopyValue value={lines.join('\n')} what={t('detail.copyLog')} />}
        />
      </div>
    </div>
  )
}

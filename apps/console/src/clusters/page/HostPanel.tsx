import type { Resource } from '@atoll/contract/clusters'
import { StepNumber } from '../../kit/page/StepNumber.tsx'
import { useText } from '../../locales/text.ts'
import classes from '../frame/ClusterPage.module.css'
import { JoinCommand } from '../self-host/JoinCommand.tsx'
import { useEnrollCommand } from '../self-host/use-enroll-command.ts'
import { WaitingLine } from '../self-host/WaitingLine.tsx'
import panel from './HostPanel.module.css'

/** A self-hosted cluster without its host: the command to run there, and the wait until the host appears. */
export function HostPanel({ cluster }: { cluster: Resource }) {
  const t = useText()
  const join = useEnrollCommand(cluster.clusterId, 'master')
  return (
    <section className="box clip" aria-labelledby="host">
      <div className={classes.cardHeader}>
        <h2 id="host">{t('join.title')}</h2>
      </div>
      <ol className={panel.steps}>
        <li className={panel.step}>
          <StepNumber number={1} />
          <div className="grow">
            <h3 className={panel.heading}>{t('join.runTitle')}</h3>
            <p className={panel.text}>{t('join.runText')}</p>
            <JoinCommand join={join} />
          </div>
        </li>
        <li className={panel.step}>
          <StepNumber number={2} />
          <div className="grow">
            <h3 className={panel.heading}>{t('join.appearTitle')}</h3>
            <WaitingLine>{t('join.waiting')}</WaitingLine>
          </div>
        </li>
        <li className={panel.step}>
          <StepNumber number={3} />
          <div className="grow">
            <h3 className={panel.heading}>{t('join.activateTitle')}</h3>
            <p className={panel.text}>{t('join.activateText')}</p>
          </div>
        </li>
      </ol>
    </section>
  )
}

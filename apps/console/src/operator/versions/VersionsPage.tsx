import {
  type Rollout,
  rolloutBack,
  rolloutContinue,
  rolloutPause,
  rolloutStart,
  versionsShow,
} from '@atoll/contract/rollouts'
import { countRows } from '@atoll/contract/wire'
import { PageHeader } from '@atoll/ui'
import { useState } from 'react'
import { Panel } from '../../billing/shared/Panel.tsx'
import { useCall } from '../../data/use-call.ts'
import { formatClock } from '../../kit/format/times.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import { ReasonDialog } from '../approve/ReasonDialog.tsx'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import { RolloutPanel } from './RolloutPanel.tsx'
import classes from './Versions.module.css'
import { VersionsTable } from './VersionsTable.tsx'

type Asked = { act: 'start'; version: string } | { act: 'pause' | 'continue' | 'back'; rollout: Rollout }

const approved = {
  continue: { act: 'rolloutContinue', call: rolloutContinue },
  back: { act: 'rolloutBack', call: rolloutBack },
} as const

/** The versions that run in clusters, and how a new one comes to them. */
export function VersionsPage() {
  const t = useText()
  const locale = useLocale()
  usePageTitle(t('versions.title'))
  useCrumb(t('versions.title'))
  const query = useCall(versionsShow, {})
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <ObjectPage query={query} page={t('versions.title')} errorTitle={t('versions.error')}>
      {({ programs, server }) => (
        <>
          <PageHeader title={t('versions.title')}>
            {t('versions.asOf', { at: formatClock(query.dataUpdatedAt, locale) })}
          </PageHeader>
          <div className={classes.panels}>
            {programs.map(({ kind, rollout, versions, clusters, offered, isSigned, mayStart }) => (
              <div key={kind} className={classes.panels}>
                {rollout && <RolloutPanel rollout={rollout} onAct={(act) => setAsked({ act, rollout })} />}
                <Panel
                  title={t('versions.agent')}
                  note={
                    mayStart && offered !== null ? (
                      <OperatorButton size="compact-md" onClick={() => setAsked({ act: 'start', version: offered })}>
                        {t('versions.start')}
                      </OperatorButton>
                    ) : (
                      t('versions.clusters', { count: clusters })
                    )
                  }
                >
                  {!isSigned && <p className={classes.note}>{t('versions.notSigned')}</p>}
                  {countRows(versions) !== 0 && <VersionsTable versions={versions} clusters={clusters} />}
                </Panel>
              </div>
            ))}
            <Panel title={t('versions.server')}>
              <p className={classes.note}>{server}</p>
            </Panel>
          </div>
          {asked?.act === 'start' && (
            <ActDialog
              onClose={close}
              title={t('versions.startTitle', { version: asked.version })}
              lead={t('versions.startLead')}
              act="rolloutStart"
              call={rolloutStart}
              fields={{ kind: 'agent', version: asked.version }}
              asks={{ object: `agent ${asked.version}`, name: '' }}
            />
          )}
          {(asked?.act === 'continue' || asked?.act === 'back') && (
            <ActDialog
              key={asked.act}
              onClose={close}
              title={t(asked.act === 'back' ? 'versions.backTitle' : 'versions.continueTitle', {
                version: asked.rollout.version,
              })}
              lead={t(asked.act === 'back' ? 'versions.backLead' : 'versions.continueLead')}
              {...approved[asked.act]}
              fields={{ rolloutId: asked.rollout.rolloutId }}
              asks={{ object: `agent ${asked.rollout.version}`, name: '' }}
              isDanger={asked.act === 'back'}
            />
          )}
          {asked?.act === 'pause' && (
            <ReasonDialog
              title={t('versions.pauseTitle', { version: asked.rollout.version })}
              lead={t('versions.pauseLead')}
              act={t('versions.pause')}
              call={rolloutPause}
              rest={{ rolloutId: asked.rollout.rolloutId }}
              onDone={close}
              onClose={close}
            />
          )}
        </>
      )}
    </ObjectPage>
  )
}

import type { pauseReasons, Rollout, RolloutWave, rolloutStates, rolloutWaves } from '@atoll/contract/rollouts'
import { countUnreadable } from '@atoll/contract/wire'
import { Meter } from '@atoll/ui'
import type { DocumentLook } from '../../billing/shared/document-looks.ts'
import { Panel } from '../../billing/shared/Panel.tsx'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { type TextKey, textOf, useLocale, useText } from '../../locales/text.ts'
import { LookBadge } from '../parts/LookBadge.tsx'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import classes from './Versions.module.css'

type State = (typeof rolloutStates)[number]
const states: Record<State, DocumentLook> = {
  running: { label: 'versions.running', colour: 'amber', shape: 'ring' },
  paused: { label: 'versions.paused', colour: 'amber', shape: 'hollow' },
  back: { label: 'versions.back', colour: 'amber', shape: 'ring' },
  ended: { label: 'versions.ended', colour: 'green', shape: 'disc' },
}
const waves: Record<(typeof rolloutWaves)[number], TextKey> = {
  own: 'versions.own',
  first: 'versions.first',
  second: 'versions.second',
  rest: 'versions.rest',
}
const reasons: Record<(typeof pauseReasons)[number], TextKey> = {
  failures: 'versions.pausedFailures',
  notOffered: 'versions.pausedNotOffered',
  operator: 'versions.pausedOperator',
}

interface RolloutPanelProps {
  rollout: Rollout
  onAct: (act: 'pause' | 'continue' | 'back') => void
}

/** A rollout, a line for each wave, with the failures and the acts on it. */
export function RolloutPanel({ rollout, onAct }: RolloutPanelProps) {
  const t = useText()
  const locale = useLocale()
  const { state, version, pausedBecause, pausedAt, failures, waveEndsAt } = rollout
  const when = (at: string) => formatDayAndTimeWithin(at, serverNow(), locale)
  const button = (act: 'pause' | 'continue' | 'back', text: TextKey) => (
    <OperatorButton key={act} size="compact-md" onClick={() => onAct(act)}>
      {t(text)}
    </OperatorButton>
  )
  return (
    <Panel
      title={t('versions.rolloutOf', { version })}
      note={
        <div className={classes.acts}>
          <LookBadge looks={states} state={state} />
          {(state === 'running' || state === 'paused') && button('back', 'versions.rollBack')}
          {state === 'running' && button('pause', 'versions.pause')}
          {state === 'paused' && button('continue', 'versions.continue')}
        </div>
      }
    >
      {pausedBecause !== null && (
        <p className={classes.note}>
          {t(textOf(reasons, pausedBecause), { at: pausedAt === null ? '' : when(pausedAt) })}
        </p>
      )}
      <ol>
        {rollout.waves.map((wave, place) => (
          <li key={wave.wave} className={classes.wave} aria-current={place === rollout.wave ? 'step' : undefined}>
            <div className={classes.name}>
              <b>{t(textOf(waves, wave.wave))}</b>
              <div className="small quiet">{t('versions.clusters', { count: wave.clusters })}</div>
            </div>
            <div className={classes.bar}>
              <Meter
                progress
                height={4}
                share={wave.clusters === 0 ? 0 : wave.updated / wave.clusters}
                label={t('versions.updatedOf', { count: wave.updated, all: wave.clusters })}
              />
            </div>
            <div className={classes.words}>
              {words(wave)}
              {place === rollout.wave && waveEndsAt !== null && (
                <div className="small quiet">{t('versions.nextWave', { at: when(waveEndsAt) })}</div>
              )}
            </div>
          </li>
        ))}
      </ol>
      <UnreadableRows of={countUnreadable([], rollout.waves, failures)} />
      {failures.length > 0 && (
        <ul className={classes.failures} aria-label={t('versions.failures')}>
          {failures.map(({ clusterId, reason, at }) => (
            <li key={clusterId}>
              <span className="mono">{clusterId}</span> · {when(at)} · {reason}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )

  function words({ updated, failed, returned, asked, offline, putOff, clusters }: RolloutWave): string {
    if (clusters === 0) return t('versions.noCluster')
    const parts: [number, TextKey][] = [
      [updated, 'versions.nUpdated'],
      [failed, 'versions.nFailed'],
      [returned, 'versions.nReturned'],
      [asked, 'versions.nAsked'],
      [offline, 'versions.nOffline'],
      [putOff, 'versions.nPutOff'],
    ]
    const said = parts.filter(([count]) => count > 0).map(([count, key]) => t(key, { count }))
    return said.length === 0 ? t('versions.later') : said.join(t('versions.comma'))
  }
}

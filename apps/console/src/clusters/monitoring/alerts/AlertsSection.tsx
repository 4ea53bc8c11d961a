import { alertKindOf, type ClusterAlerts, clusterAlerts, isLevelRule } from '@atoll/contract/observe'
import { StatusDot } from '@atoll/ui'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { serverNow } from '../../../config/runtime-config.ts'
import { useCall } from '../../../data/use-call.ts'
import { formatTime } from '../../../kit/format/times.ts'
import { ChangeButton } from '../../../kit/page/ChangeButton.tsx'
import { LoadFailure } from '../../../kit/page/LoadFailure.tsx'
import { SettingRow, SettingRows } from '../../../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { calledInstance } from '../../card/instance-name.ts'
import { AlertHistory } from './AlertHistory.tsx'
import { AlertRuleDialog } from './AlertRuleDialog.tsx'
import classes from './AlertsSection.module.css'
import { type AlertRule, useRuleWords } from './rule-words.ts'

/** The cluster's alert rules, firing alerts, and past ones. */
export function AlertsSection({ clusterId }: { clusterId: string }) {
  const t = useText()
  const { data, error, refetch } = useCall(clusterAlerts, { clusterId })
  return (
    <section className={classes.section} aria-labelledby="alerts-title">
      <div className={classes.head}>
        <h2 className={classes.title} id="alerts-title">
          {t('alerts.title')}
        </h2>
        <Link to="/alerts" className="small">
          {t('alerts.all')}
        </Link>
      </div>
      {!data && error && <LoadFailure title={t('alerts.errorTitle')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={120} radius={10} />}
      {data && (
        <>
          <Rules clusterId={clusterId} alerts={data} />
          <AlertHistory history={data.history} level="h3" />
        </>
      )}
    </section>
  )
}

function Rules({ clusterId, alerts: { rules, current } }: { clusterId: string; alerts: ClusterAlerts }) {
  const t = useText()
  const [changed, setChanged] = useState<AlertRule>()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <SettingRows>
        {rules.map((rule) => (
          <RuleRow
            key={rule.rule}
            rule={rule}
            here={current.filter((one) => one.rule === rule.rule)}
            onChange={() => {
              setChanged(rule)
              setOpened(true)
            }}
          />
        ))}
        <SettingRow
          icon={<StatusDot colour="grey" shape="hollow" />}
          title={t('alerts.trafficRule')}
          text={t('alerts.trafficText')}
        />
      </SettingRows>
      {changed && <AlertRuleDialog scope={clusterId} rule={changed} opened={opened} onClose={() => setOpened(false)} />}
    </>
  )
}

interface RuleRowProps {
  rule: AlertRule
  /** Firing alerts, and conditions that become alerts if they last. */
  here: ClusterAlerts['current']
  onChange: () => void
}

function RuleRow({ rule, here, onChange }: RuleRowProps) {
  const t = useText()
  const locale = useLocale()
  const { title, what } = useRuleWords()
  const now = serverNow()
  const isFiring = here.some(({ state }) => state === 'firing')
  const dot = !rule.isOn ? 'grey' : isFiring ? 'coral' : here.length > 0 ? 'amber' : 'green'
  const describe = ({ state, instance: name, subject, since }: ClusterAlerts['current'][number]) => {
    const instance = calledInstance(name, t)
    const time = formatTime(since, now, locale)
    const values = { subject: subject ?? '', instance, time }
    if (state === 'firing') {
      if (subject === null) return t('alerts.firing', values)
      return t(alertKindOf(rule.rule).of === 'cluster' ? 'alerts.firingOfCluster' : 'alerts.firingOf', values)
    }
    return t(isLevelRule(rule.rule) ? 'alerts.pending' : `alertKinds.${rule.rule}.pending`, values)
  }
  return (
    <SettingRow
      icon={<StatusDot colour={dot} shape={rule.isOn && (isFiring || here.length === 0) ? 'disc' : 'hollow'} />}
      title={title(rule)}
      text={
        !rule.isOn
          ? t('alerts.off')
          : here.length > 0
            ? here.map(describe).join(t('alerts.between'))
            : t(rule.mail ? 'alerts.okMailed' : 'alerts.ok')
      }
    >
      <ChangeButton size="xs" aria-label={t('alerts.changeOf', { alert: what(rule.rule) })} onClick={onChange}>
        {t('alerts.change')}
      </ChangeButton>
    </SettingRow>
  )
}

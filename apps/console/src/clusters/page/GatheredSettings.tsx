import { backupList } from '@atoll/contract/backups'
import type { Resource } from '@atoll/contract/clusters'
import { clusterAlerts } from '@atoll/contract/observe'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { formatAgo } from '../../kit/format/times.ts'
import { SettingRow } from '../../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { newestKept } from '../actions/kept-backup.ts'
import type { ClusterSearch } from '../frame/cluster-search.ts'

/** Settings that have a tab of their own: how they stand, and the way there. */
export function GatheredSettings({ cluster, isMine }: { cluster: Resource; isMine: boolean }) {
  const t = useText()
  const { clusterId } = cluster
  return (
    <>
      <AlertsRow clusterId={clusterId} />
      {isMine && <BackupRow clusterId={clusterId} />}
      <LinkRow clusterId={clusterId} tab="access" title={t('detail.tabAccess')} text={t('detail.settingAccess')} />
    </>
  )
}

function AlertsRow({ clusterId }: { clusterId: string }) {
  const t = useText()
  const { data } = useCall(clusterAlerts, { clusterId })
  const text = data && t('detail.settingAlerts', { count: data.rules.length, ...countOn(data.rules) })
  return <LinkRow clusterId={clusterId} tab="monitoring" title={t('alerts.title')} text={text} />
}

function countOn(rules: readonly { isOn: boolean; mail: boolean }[]) {
  const on = rules.filter(({ isOn }) => isOn)
  return { on: on.length, mailed: on.filter(({ mail }) => mail).length }
}

function BackupRow({ clusterId }: { clusterId: string }) {
  const t = useText()
  const locale = useLocale()
  const { data } = useCall(backupList, {})
  const newest = data && newestKept(data.backups, clusterId)
  const text = newest
    ? t('detail.settingBackup', { name: newest.name, ago: formatAgo(newest.at, serverNow(), locale) })
    : data && t('detail.settingNoBackup')
  return <LinkRow clusterId={clusterId} tab="backups" title={t('backups.backup')} text={text} />
}

interface LinkRowProps {
  clusterId: string
  tab: NonNullable<ClusterSearch['tab']>
  title: string
  text: ReactNode
}

function LinkRow({ clusterId, tab, title, text }: LinkRowProps) {
  const t = useText()
  return (
    // A space keeps the height of the row until its words are known.
    <SettingRow title={title} text={text ?? '\u00a0'}>
      <Button
        size="xs"
        aria-label={t('common.labelled', { label: title, value: t('detail.settingOpen') })}
        renderRoot={(props) => <Link {...props} to="/cluster/$clusterId" params={{ clusterId }} search={{ tab }} />}
      >
        {t('detail.settingOpen')}
      </Button>
    </SettingRow>
  )
}

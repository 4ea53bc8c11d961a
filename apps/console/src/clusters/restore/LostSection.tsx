import { type Backup, backupList, backupSnapshot, hasControlCharacter, type Snapshot } from '@atoll/contract/backups'
import { clusterRepair, type Resource } from '@atoll/contract/clusters'
import { formatBytes } from '@atoll/ui/i18n'
import { Button, Skeleton } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { PasswordField } from '../../backups/dialogs/PasswordField.tsx'
import { countFiles } from '../../backups/plan-words.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useOnline } from '../../kit/browser/use-online.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import type { Action } from '../../kit/menu/action.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { SettingRow, SettingRows } from '../../kit/page/SettingRow.tsx'
import { sentenceGap } from '../../locales/sentence-gap.ts'
import { useLocale, useText } from '../../locales/text.ts'
import page from '../frame/ClusterPage.module.css'
import { dropPassword, holdPassword } from './held-password.ts'
import classes from './LostSection.module.css'
import { OtherSnapshots } from './OtherSnapshots.tsx'

interface LostSectionProps {
  cluster: Resource
  actions: Action[]
}

/** A Cloud cluster whose provider lost its machine: the way back from a backup, then those without (board 49). */
export function LostSection({ cluster, actions }: LostSectionProps) {
  const t = useText()
  const { data, error, refetch } = useCall(backupList, {})
  const [chosen, setChosen] = useState<{ backupId: string; snapshotId: string }>()
  if (!data && error) return <LoadFailure title={t('backups.errorTitle')} error={error} onRetry={refetch} />
  if (!data) return <Skeleton height={320} radius={10} />
  const backups = restorableOf(data.backups, cluster.clusterId)
  const backup = backups.find(({ backupId }) => backupId === chosen?.backupId) ?? backups[0]
  const snapshotId = chosen?.snapshotId ?? backup?.newestKept
  return (
    <>
      {backup && snapshotId ? (
        <>
          <FromBackup key={snapshotId} cluster={cluster} backup={backup} snapshotId={snapshotId} />
          <OtherSnapshots backups={backups} backup={backup} snapshotId={snapshotId} onChoose={setChosen} />
        </>
      ) : (
        <section className={classes.lost} aria-labelledby="machineLost">
          <Banner cluster={cluster}>{t('lost.noBackup')}</Banner>
        </section>
      )}
      <WithoutBackup actions={actions} hasBackup={backup !== undefined} />
    </>
  )
}

/** Those of a cluster with a snapshot that is kept, the one with the newest first. */
function restorableOf(backups: readonly Backup[], clusterId: string): Backup[] {
  const at = ({ lastCompletedAt }: Backup) => Date.parse(lastCompletedAt ?? '') || 0
  return backups
    .filter(({ clusterId: of, state, newestKept }) => of === clusterId && state !== 'deleting' && newestKept !== null)
    .toSorted((a, b) => at(b) - at(a))
}

function Banner({ cluster: { status, latest }, children }: { cluster: Resource; children: ReactNode }) {
  const t = useText()
  const locale = useLocale()
  const heard = latest && t('lost.heard', { time: formatDayAndTimeWithin(latest.at, serverNow(), locale) })
  return (
    <div className={classes.banner}>
      <IconAlertCircle size={20} stroke={1.6} aria-hidden="true" />
      <div className="grow">
        <h2 id="machineLost">{t(status === 'offline' ? 'lost.away' : 'lost.title')}</h2>
        <p className="note soft">
          {heard}
          {heard && sentenceGap(locale)}
          {children}
        </p>
      </div>
    </div>
  )
}

interface FromBackupProps {
  cluster: Resource
  backup: Backup
  snapshotId: string
}

function FromBackup({ cluster, backup, snapshotId }: FromBackupProps) {
  const t = useText()
  const locale = useLocale()
  const { data, error, refetch } = useCall(backupSnapshot, { snapshotId })
  if (!data && error) return <LoadFailure title={t('backups.snapshotsError')} error={error} onRetry={refetch} />
  if (!data) return <Skeleton height={320} radius={10} />
  const { snapshot, seconds } = data
  const time = formatDayAndTimeWithin(snapshot.createdAt, serverNow(), locale)
  return (
    <section className={classes.lost} aria-labelledby="machineLost">
      <Banner cluster={cluster}>{t('lost.safe', { time, name: backup.name })}</Banner>
      <div className={classes.body}>
        <div>
          <h3>{t('lost.bring', { time })}</h3>
          <ComesBack cluster={cluster} snapshot={snapshot} seconds={seconds} time={time} />
        </div>
        <BringBack cluster={cluster} backup={backup} snapshotId={snapshotId} />
      </div>
    </section>
  )
}

interface ComesBackProps {
  cluster: Resource
  snapshot: Snapshot
  /** For the files, estimated; null: unknown. */
  seconds: number | null
  time: string
}

function ComesBack({ cluster: { latest }, snapshot: { size, files, createdAt }, seconds, time }: ComesBackProps) {
  const t = useText()
  const locale = useLocale()
  const lostAt = latest && Date.parse(latest.at) > Date.parse(createdAt) ? latest.at : undefined
  const rows: [name: string, value: string, help?: string][] = [
    [
      t('lost.back'),
      t('backups.sizeInFiles', { size: formatBytes(size ?? 0, locale), ...countFiles(files, locale) }),
      t('lost.asOf', { time }),
    ],
    [
      t('lost.notBack'),
      lostAt === undefined
        ? t('lost.changedSince', { from: time })
        : t('lost.changed', { from: time, to: formatDayAndTimeWithin(lostAt, serverNow(), locale) }),
      t('lost.onlyThere'),
    ],
    [t('lost.same'), t('lost.sameText')],
    ...(seconds === null
      ? []
      : [
          [
            t('lost.takes'),
            t('backups.look.minutes', { count: Math.max(1, Math.ceil(seconds / 60)) }),
            t('lost.takesHelp'),
          ] as [string, string, string],
        ]),
    [t('lost.costs'), t('lost.nothing')],
  ]
  return (
    <dl className={classes.facts}>
      {rows.map(([name, value, help]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {help !== undefined && <p className="note quiet">{help}</p>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * The password and the button. The new machine has no key yet to encrypt the password for: this page keeps it until
 * then (`RestorePanel`).
 */
function BringBack({ cluster: { clusterId, name }, backup, snapshotId }: FromBackupProps) {
  const t = useText()
  const online = useOnline()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const repair = useCallMutation(clusterRepair)
  const { backupId, name: backupName } = backup
  function submit(event: FormEvent) {
    event.preventDefault()
    if (repair.isPending) return
    if (password === '') return setProblem(t('backups.passwordMissing'))
    if (hasControlCharacter(password)) return setProblem(t('backups.passwordControl'))
    holdPassword(clusterId, password)
    repair.mutate({ clusterId, restore: { backupId, snapshotId } }, { onError: () => dropPassword(clusterId) })
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <PasswordField
        kind="current"
        backupName={backupName}
        label={t('backups.password')}
        value={password}
        onChange={(typed) => {
          setPassword(typed)
          setProblem(undefined)
        }}
        clusterName={name}
        problem={problem}
      />
      <p className="note quiet">{t('lost.passwordHelp')}</p>
      <FailureNotice error={repair.error} />
      <ChangeButton type="submit" variant="filled" size="md" disabled={!online} loading={repair.isPending}>
        {t('lost.act', { name })}
      </ChangeButton>
      <p className={classes.after}>{t('lost.activate')}</p>
    </form>
  )
}

/** A new machine without files, or the end of the cluster: each asks first, as it does everywhere. */
function WithoutBackup({ actions, hasBackup }: { actions: Action[]; hasBackup: boolean }) {
  const t = useText()
  const button = (key: string, label: string, variant: 'default' | 'filled' | 'dangerOutline') => {
    const action = actions.find((each) => each.key === key)
    return (
      action && (
        <Button size="xs" variant={variant} disabled={action.disabledReason !== undefined} onClick={action.onSelect}>
          {label}
        </Button>
      )
    )
  }
  return (
    <section aria-labelledby="withoutBackup">
      <SettingRows>
        <div className={page.cardHeader}>
          <h2 id="withoutBackup">{t('lost.without')}</h2>
        </div>
        <SettingRow title={t('lost.empty')} text={t(hasBackup ? 'lost.emptyText' : 'lost.emptyTextNone')}>
          {button('repair', t('lost.emptyAct'), hasBackup ? 'default' : 'filled')}
        </SettingRow>
        <SettingRow title={t('lost.giveUp')} text={t(hasBackup ? 'lost.giveUpText' : 'lost.giveUpTextNone')}>
          {button('destroyMaster', t('lost.giveUpAct'), 'dangerOutline')}
        </SettingRow>
      </SettingRows>
    </section>
  )
}

import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import {
  type BackupMachine,
  type BackupSchedule,
  backupCreate,
  defaultKeepOf,
  type KeepRules,
  leastKeptHours,
} from '@atoll/contract/backups'
import { Notice } from '@atoll/ui'
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { CallFailure } from '../../data/call-failure.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import dialog from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { ChoiceCard } from '../../kit/form/ChoiceCard.tsx'
import { problemsOf } from '../../kit/form/use-call-form.ts'
import { readerZone } from '../../kit/format/reader-zone.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { KeepFields } from './KeepFields.tsx'
import { PasswordField } from './PasswordField.tsx'
import { RecoveryNotice } from './RecoveryNotice.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import { findSlotOwner, proposeSchedule } from './SlotGrid.tsx'
import { usePasswordFault, useSealing } from './use-sealed.ts'

interface NewBackupDialogProps {
  /** At least one. */
  machines: readonly BackupMachine[]
  onClose: () => void
}

/** Of how many of each a new plan says; the others are for who changes it later. */
const keptFromStart = {
  hour: ['hourly', 'daily', 'weekly', 'monthly'],
  day: ['daily', 'weekly', 'monthly', 'yearly'],
  week: ['daily', 'weekly', 'monthly', 'yearly'],
  month: ['daily', 'weekly', 'monthly', 'yearly'],
} as const

/** Source and times, then retention and the password, twice; the first run begins at once. */
export function NewBackupDialog({ machines, onClose }: NewBackupDialogProps) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const [step, setStep] = useState<'plan' | 'password'>('plan')
  const [clusterId, setClusterId] = useState(machines[0]?.clusterId ?? '')
  const [name, setName] = useState('')
  const [isAll, setAll] = useState(true)
  const [folders, setFolders] = useState('')
  const [schedule, setSchedule] = useState<BackupSchedule>(() => proposeSchedule(machines[0]?.slots ?? []))
  const [chosenKeep, setKeep] = useState<KeepRules>()
  const [isWritten, setWritten] = useState(false)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [problems, setProblems] = useState<Record<string, string>>({})
  // Until somebody chose, they follow the schedule.
  const keep = chosenKeep ?? defaultKeepOf(schedule)
  const machine = machines.find((each) => each.clusterId === clusterId)
  const taken = machine?.slots ?? []
  const sealing = useSealing(machine)
  const faultOf = usePasswordFault()
  const create = useCallMutation(backupCreate)
  const timeZone = machine?.timeZone ?? readerZone()
  const plan = {
    clusterId,
    name,
    schedule,
    timeZone,
    keep,
    runNow: true,
    paths: isAll
      ? ['/']
      : folders
          .split(/[,\n]/)
          .map((path) => path.trim())
          .filter(Boolean),
  }
  const clusterName = machine?.clusterName ?? ''

  function next() {
    const found = problemsOf(backupCreate, plan, locale)
    setProblems(found)
    if (Object.keys(found).length === 0) setStep('password')
  }
  function send() {
    const fault = faultOf(password)
    const found = {
      ...(fault && { password: fault }),
      ...(!fault && password !== again && { again: t('backups.passwordDiffers') }),
      ...(!isWritten && { written: t('backups.writtenMissing') }),
      ...problemsOf(backupCreate, plan, locale),
    }
    setProblems(found)
    if (Object.keys(found).length > 0 || create.isPending) return
    sealing.seal(password, (box) =>
      create.mutate(
        { ...plan, ...(box !== undefined && { box }) },
        {
          onSuccess: ({ backupId }) => void navigate({ to: '/backupDetails/$backupId', params: { backupId } }),
          onError(error) {
            if (!(error instanceof CallFailure) || error.field === undefined) return
            // Refused fields are on the first page.
            setProblems({ [error.field]: error.message })
            setStep('plan')
          },
        },
      ),
    )
  }
  const isPlan = step === 'plan'
  const title = (
    <span className={classes.stepTitle}>
      {t(isPlan ? 'backups.newTitle' : 'backups.passwordTitle')}{' '}
      <span className={classes.step}>{t('backups.stepOf', { step: isPlan ? 1 : 2, count: 2 })}</span>
    </span>
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isPlan) next()
    else send()
  }
  return (
    <FormDialog opened onClose={onClose} size={560} title={title} isFilled={[name, folders, password].some(Boolean)}>
      <form onSubmit={submit} noValidate>
        {isPlan ? (
          <div className={classes.fields}>
            <div className={classes.pair}>
              <TextInput
                data-autofocus
                label={t('backups.name')}
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
                error={problems['name']}
                maxLength={60}
                autoComplete="off"
              />
              <NativeSelect
                label={t('backups.cluster')}
                value={clusterId}
                onChange={({ currentTarget }) => setClusterId(currentTarget.value)}
                data={machines.map((each) => ({ value: each.clusterId, label: each.clusterName }))}
              />
            </div>
            {machine && <MachineNotice machine={machine} />}
            <div>
              <p className={classes.label}>{t('backups.what')}</p>
              <div className={classes.pair} role="radiogroup" aria-label={t('backups.what')}>
                <ChoiceCard group="what" value="all" mark="left" chosen={isAll} onChoose={() => setAll(true)}>
                  <span className={dialog.choice}>{t('backups.allFiles')}</span>
                </ChoiceCard>
                <ChoiceCard group="what" value="some" mark="left" chosen={!isAll} onChoose={() => setAll(false)}>
                  <span className={dialog.choice}>{t('backups.theseFolders')}</span>
                </ChoiceCard>
              </div>
            </div>
            {!isAll && (
              <TextInput
                label={t('backups.folders')}
                description={t('backups.foldersHelp')}
                value={folders}
                onChange={({ currentTarget }) => setFolders(currentTarget.value)}
                error={problems['paths']}
                autoComplete="off"
                spellCheck={false}
              />
            )}
            <ScheduleFields
              value={schedule}
              onChange={(chosen) => {
                setSchedule(chosen)
                setProblems({})
              }}
              timeZone={timeZone}
              problem={problems['schedule']}
              taken={taken}
            />
            <p className={classes.destination}>
              <b>{t('backups.toVault')}</b> {t('backups.encrypted')}
            </p>
          </div>
        ) : (
          <div className={classes.fields}>
            <KeepFields
              rules={keptFromStart[schedule.every]}
              value={keep}
              onChange={(rules) => {
                setKeep(rules)
                setProblems({})
              }}
              problem={problems['keep']}
              isNarrow
            />
            <p className={classes.help}>{t('backups.keepNever', { hours: leastKeptHours })}</p>
            <PasswordField
              kind="new"
              backupName={name}
              value={password}
              onChange={(typed) => {
                setPassword(typed)
                setProblems({})
              }}
              clusterName={clusterName}
              problem={problems['password'] ?? sealing.problem}
              machineKey={machine?.key}
              autoFocus
            />
            <PasswordField
              kind="new"
              label={t('backups.passwordAgain')}
              value={again}
              onChange={(typed) => {
                setAgain(typed)
                setProblems({})
              }}
              clusterName={clusterName}
              problem={problems['again']}
            />
            <RecoveryNotice name={name} clusterName={clusterName} password={password} />
            <Checkbox
              checked={isWritten}
              onChange={({ currentTarget }) => {
                setWritten(currentTarget.checked)
                setProblems({})
              }}
              label={t('backups.written')}
              error={problems['written']}
            />
          </div>
        )}
        <DialogFooter error={create.error}>
          <Button onClick={isPlan ? onClose : () => setStep('plan')}>
            {t(isPlan ? 'backups.cancel' : 'backups.back')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            loading={create.isPending || sealing.isSealing}
            disabled={isPlan && (!machine?.key || findSlotOwner(schedule, taken) !== undefined)}
          >
            {t(isPlan ? 'backups.continue' : 'backups.create')}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}

/** Requirements that a machine lacks before it can be backed up. */
export function MachineNotice({ machine: { key, restic, connected, clusterName } }: { machine: BackupMachine }) {
  const t = useText()
  if (!key) return <Notice tone="amber" title={t('backups.agentOld', { cluster: clusterName })} />
  if (restic === null) {
    return (
      <Notice tone="amber" title={t('backups.noRestic', { cluster: clusterName })}>
        {t('backups.noResticText')}
      </Notice>
    )
  }
  return connected ? null : <Notice tone="amber" title={t('backups.offline', { cluster: clusterName })} />
}

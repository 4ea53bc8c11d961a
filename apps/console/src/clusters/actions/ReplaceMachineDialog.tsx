import { backupList } from '@atoll/contract/backups'
import { clusterReplaceMachine, type EnrollCommand } from '@atoll/contract/clusters'
import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { ArmedButton, TypedNameField } from '../../kit/confirm/TypedName.tsx'
import classes from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { PageDialog } from '../../kit/dialog/PageDialog.tsx'
import { ChoiceCard } from '../../kit/form/ChoiceCard.tsx'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { JoinCommand } from '../self-host/JoinCommand.tsx'
import { WaitingLine } from '../self-host/WaitingLine.tsx'
import { useClusters } from '../use-clusters.ts'

/**
 * Another machine in the place of a self-hosted cluster's own: what its drive is made of, then the command, and the
 * wait until the machine comes. A machine that may still serve is only replaced after its cluster's name was typed.
 */
export function ReplaceMachineDialog({ cluster, opened, onClose }: ClusterDialogProps) {
  const t = useText()
  const { clusterId, name, status } = cluster
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [command, setCommand] = useState<EnrollCommand>()
  const replace = useCallMutation(clusterReplaceMachine, { onSuccess: setCommand })
  const backups = useCall(backupList, {}).data?.backups.filter(
    (backup) => backup.clusterId === clusterId && backup.lastCompletedAt !== null && backup.state !== 'deleting',
  )
  const now = useClusters().clusters?.find((each) => each.clusterId === clusterId)
  const hasJoined = now !== undefined && now.instanceId !== cluster.instanceId
  // Empty is chosen by hand where there is a backup.
  const source = chosen ?? backups?.[0]?.backupId ?? empty
  const restore = source === empty ? {} : { restore: { backupId: source } }
  const isSilent = status === 'offline'
  const isArmed = backups !== undefined && (isSilent || typed.trim() === name)
  const ask = () => replace.mutate({ clusterId, ...restore })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isArmed && !replace.isPending) ask()
  }

  if (!command) {
    return (
      <PageDialog opened={opened} onClose={onClose} title={t('replace.title', { name })} size={560}>
        <form onSubmit={submit}>
          <p className={classes.text}>{t(isSilent ? 'replace.text' : 'replace.textRunning')}</p>
          <p className={classes.text}>{t('replace.stays')}</p>
          {backups && backups.length > 0 ? (
            <div className={classes.choices} role="radiogroup" aria-label={t('replace.files')}>
              {backups.map(({ backupId, name: backup, lastCompletedAt }) => (
                <SourceCard
                  key={backupId}
                  value={backupId}
                  chosen={source}
                  onChoose={setChosen}
                  title={t('replace.fromBackup', { backup })}
                  help={<BackupTime at={lastCompletedAt ?? ''} />}
                />
              ))}
              <SourceCard
                value={empty}
                chosen={source}
                onChoose={setChosen}
                title={t('replace.empty')}
                help={t('replace.emptyHelp')}
              />
            </div>
          ) : (
            backups && <p className={classes.text}>{t('replace.noBackup')}</p>
          )}
          {!isSilent && (
            <TypedNameField name={name} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
          )}
          <DialogFooter error={replace.error}>
            <Button onClick={onClose}>{t('dialog.giveUpKeep')}</Button>
            <ArmedButton armed={isArmed} danger={!isSilent} loading={replace.isPending}>
              {t('join.show')}
            </ArmedButton>
          </DialogFooter>
        </form>
      </PageDialog>
    )
  }
  return (
    <PageDialog opened={opened} onClose={onClose} title={t('replace.title', { name })} size={560}>
      {hasJoined ? (
        <Notice tone="green" role="status" title={t('replace.joined')}>
          {t(source === empty ? 'replace.joinedEmpty' : 'replace.joinedFiles')}
        </Notice>
      ) : (
        <>
          <p className={classes.text}>{t('replace.run')}</p>
          <div className={classes.field}>
            <JoinCommand join={{ command, renew: ask, isRenewing: replace.isPending, error: replace.error }} />
          </div>
          <div className={classes.field}>
            <WaitingLine>{t('join.waiting')}</WaitingLine>
          </div>
        </>
      )}
      <DialogFooter>
        <Button onClick={onClose}>{t('failure.close')}</Button>
      </DialogFooter>
    </PageDialog>
  )
}

/** No backup has this id. */
const empty = 'empty'

interface SourceCardProps {
  value: string
  chosen: string
  onChoose: (value: string) => void
  title: string
  help: ReactNode
}

function SourceCard({ value, chosen, onChoose, title, help }: SourceCardProps) {
  return (
    <ChoiceCard group="source" value={value} mark="left" chosen={chosen === value} onChoose={() => onChoose(value)}>
      <span className={classes.choice}>{title}</span>
      <span className={classes.choiceHelp}>{help}</span>
    </ChoiceCard>
  )
}

function BackupTime({ at }: { at: string }) {
  const t = useText()
  const locale = useLocale()
  return t('replace.newest', { time: formatDayAndTimeWithin(at, serverNow(), locale) })
}

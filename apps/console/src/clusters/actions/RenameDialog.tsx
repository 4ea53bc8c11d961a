import { clusterRename } from '@atoll/contract/clusters'
import { Dialog } from '@atoll/ui'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import classes from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { useText } from '../../kit/i18n/text.ts'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { nameProblem } from '../card/cluster-name.ts'
import { useClusters } from '../use-clusters.ts'

/** Gives a cluster another name, free among its owner's. */
export function RenameDialog({ cluster, opened, onClose }: ClusterDialogProps) {
  const t = useText()
  const { clusterId, owner } = cluster
  const [name, setName] = useState(cluster.name)
  const [checked, setChecked] = useState(false)
  const rename = useCallMutation(clusterRename)
  const taken = (useClusters().clusters ?? [])
    .filter((other) => other.owner.userid === owner.userid && other.clusterId !== clusterId)
    .map((other) => other.name)
  const problem = nameProblem(name, taken)
  const shownProblem = checked ? problem : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (problem || rename.isPending) return
    rename.mutate({ clusterId, name: name.trim() }, { onSuccess: onClose })
  }

  function keep() {
    rename.giveUp()
    onClose()
  }

  return (
    <Dialog opened={opened} onClose={keep} title={t('dialog.renameTitle', { name: cluster.name })}>
      <form onSubmit={submit} noValidate>
        <TextInput
          data-autofocus
          label={t('create.name')}
          description={shownProblem ? undefined : t('dialog.renameHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={name}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            rename.reset()
            setName(event.currentTarget.value)
          }}
          onBlur={() => setChecked(true)}
          error={
            shownProblem &&
            t(shownProblem === 'taken' ? 'create.nameTaken' : 'create.nameInvalid', { name: name.trim() })
          }
        />
        <FailureNotice error={rename.error} className={classes.failure} />
        <DialogFooter>
          <Button onClick={keep}>{t('dialog.renameKeep')}</Button>
          <Button type="submit" variant="filled" loading={rename.isPending}>
            {t('dialog.renameDo')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

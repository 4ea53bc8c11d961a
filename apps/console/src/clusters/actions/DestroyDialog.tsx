import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { destroyMaster, type Resource } from '@atoll/contract/clusters'
import { Dialog } from '@atoll/ui'
import { Button, Checkbox, TextInput, Tooltip } from '@mantine/core'
import { useMatchRoute, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import classes from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { useText } from '../../kit/i18n/text.ts'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { addressHost } from '../card/address-host.ts'

interface DestroyDialogProps {
  cluster: Resource
  opened: boolean
  onClose: () => void
}

/** The one place a cluster is destroyed from: what is lost, the typed name, and the safe answer first. */
export function DestroyDialog({ cluster, opened, onClose }: DestroyDialogProps) {
  const t = useText()
  const navigate = useNavigate()
  const match = useMatchRoute()
  const [typed, setTyped] = useState('')
  const destroy = useCallMutation(destroyMaster)
  const { clusterId, name } = cluster
  const matches = typed.trim() === name
  // Whether somebody else's machines keep what is on them is theirs to say.
  const ownMachines = cluster.clusterType === 'SelfHost'
  const [wipe, setWipe] = useState(false)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!matches || destroy.isPending) return
    destroy.mutate(
      { clusterId, confirm: true, ...(ownMachines && { wipe }) },
      {
        onSuccess: () => {
          onClose()
          // Its own page is about to be gone.
          if (match({ to: '/cluster/$clusterId', params: { clusterId } })) void navigate({ to: '/' })
        },
      },
    )
  }

  function keep() {
    destroy.giveUp()
    onClose()
  }

  return (
    <Dialog opened={opened} onClose={keep} title={t('dialog.destroyTitle', { name })}>
      <form onSubmit={submit}>
        <p className={classes.text}>
          {t(ownMachines ? 'dialog.destroySelfHostText' : 'dialog.destroyText', { count: 1 + cluster.workers.length })}
        </p>
        {cluster.url && (
          <p className={classes.text}>{t('dialog.destroyAddress', { address: addressHost(cluster.url) })}</p>
        )}
        {ownMachines && (
          <Checkbox
            className={classes.field ?? ''}
            checked={wipe}
            onChange={(event) => setWipe(event.currentTarget.checked)}
            label={t('dialog.wipe')}
            description={t('dialog.wipeHelp')}
            classNames={{ label: classes.choice ?? '', description: classes.choiceHelp ?? '' }}
          />
        )}
        <TextInput
          className={classes.field}
          data-autofocus
          label={
            <>
              {t('dialog.destroyTypeBefore')}
              <span className={classes.typed}>{name}</span>
              {t('dialog.destroyTypeAfter')}
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <FailureNotice error={destroy.error} className={classes.failure} />
        <DialogFooter>
          <Button onClick={keep}>{t('dialog.destroyKeep')}</Button>
          <Tooltip label={t('dialog.destroyMismatch')} disabled={matches}>
            <Button
              type="submit"
              variant="danger"
              {...(!matches && { 'data-disabled': true })}
              aria-disabled={!matches}
              loading={destroy.isPending}
            >
              {t('dialog.destroyDo', { name })}
            </Button>
          </Tooltip>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

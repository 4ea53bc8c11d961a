import { clusterActivation, type Resource } from '@atoll/contract/clusters'
import { wizardLink } from '@atoll/contract/wizard-link'
import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useCall } from '../../data/use-call.ts'
import { CopyFact } from '../../kit/dialog/CopyFact.tsx'
import classes from '../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import { PageDialog } from '../../kit/dialog/PageDialog.tsx'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useText } from '../../locales/text.ts'
import { addressHost } from '../card/address-host.ts'
import { useClusters } from '../use-clusters.ts'

interface ActivateDialogProps {
  cluster: Resource
  opened: boolean
  onClose: () => void
}

/** The values that the owner needs to activate a cluster: ID, one-time password, wizard. Says when it has happened. */
export function ActivateDialog({ cluster, opened, onClose }: ActivateDialogProps) {
  const t = useText()
  const { name, clusterId } = cluster
  const now = useClusters().clusters?.find((known) => known.clusterId === clusterId)
  const active = now?.osActive ?? false
  const activation = useCall(clusterActivation, { clusterId }, { enabled: opened && !active, staleTime: 0, gcTime: 0 })
  const { data, error } = activation

  return (
    <PageDialog opened={opened} onClose={onClose} title={t('dialog.activateTitle', { name })} size={480}>
      {active ? (
        <Notice tone="green" role="status" title={t('dialog.activateDone', { name })}>
          {t('dialog.activateDoneText')}
        </Notice>
      ) : (
        <>
          <p className={classes.text}>{t('dialog.activateText')}</p>
          {error && !data ? (
            <FailureNotice
              error={error}
              className={classes.failure}
              action={
                <Button size="xs" onClick={() => void activation.refetch()}>
                  {t('failure.retry')}
                </Button>
              }
            />
          ) : (
            <>
              <dl className={classes.facts}>
                <CopyFact label={t('dialog.activateId')} value={data?.terminusName} />
                <CopyFact label={t('dialog.activatePassword')} value={data?.password} secret />
                <CopyFact
                  label={t('dialog.activateWizard')}
                  value={data?.wizardUrl}
                  shown={data && addressHost(data.wizardUrl)}
                />
              </dl>
              <p className={classes.help}>{t('dialog.activatePasswordHelp')}</p>
            </>
          )}
        </>
      )}
      <DialogFooter>
        <Button onClick={onClose}>{active ? t('failure.close') : t('dialog.activateLater')}</Button>
        {(active || data || !error) && (
          <OpenButton
            href={active ? now?.url : data && wizardLink(data.wizardUrl, data.password)}
            label={active ? t('dialog.activateGo') : t('dialog.activateOpen')}
          />
        )}
      </DialogFooter>
    </PageDialog>
  )
}

/** Leads to the wizard, or to the server once it is active; waits while the address is asked for. */
function OpenButton({ href, label }: { href: string | null | undefined; label: string }) {
  if (!href) {
    return (
      <Button variant="filled" loading>
        {label}
      </Button>
    )
  }
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noopener"
      variant="filled"
      data-autofocus
      rightSection={<IconArrowUpRight size={16} stroke={1.6} aria-hidden="true" />}
    >
      {label}
    </Button>
  )
}

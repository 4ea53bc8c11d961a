import { sessionRevokeAll } from '@atoll/contract/accounts'
import { Dialog } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCallMutation } from '../data/use-call-mutation.ts'
import dialog from '../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../kit/dialog/DialogFooter.tsx'
import { useText } from '../kit/i18n/text.ts'
import { FailureNotice } from '../kit/page/FailureNotice.tsx'
import { showToast } from '../kit/toast/show-toast.ts'

interface RevokeOthersProps {
  /** How many sessions there are besides this one. */
  count: number
}

/** Signs out everywhere but here, after saying where that is. */
export function RevokeOthers({ count }: RevokeOthersProps) {
  const t = useText()
  const [opened, setOpened] = useState(false)
  const revoke = useCallMutation(sessionRevokeAll, {
    onSuccess({ revoked }) {
      close()
      showToast({ kind: 'success', text: t('sessions.othersRevoked', { count: revoked }) })
    },
  })
  const close = () => {
    setOpened(false)
    revoke.reset()
  }
  return (
    <>
      <Button onClick={() => setOpened(true)}>{t('sessions.revokeOthers')}</Button>
      <Dialog opened={opened} onClose={close} title={t('sessions.revokeOthersTitle')}>
        <p className={dialog.text}>{t('sessions.revokeOthersText', { count })}</p>
        <FailureNotice error={revoke.error} className={dialog.failure} />
        <DialogFooter>
          <Button data-autofocus onClick={close}>
            {t('sessions.keep')}
          </Button>
          <Button variant="danger" loading={revoke.isPending} onClick={() => revoke.mutate({})}>
            {t('sessions.revokeOthersDo', { count })}
          </Button>
        </DialogFooter>
      </Dialog>
    </>
  )
}

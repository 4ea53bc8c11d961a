import { passwordKept } from '@atoll/contract/accounts'
import { normalPassword, passwordFault } from '@atoll/contract/backups'
import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { printSheet } from './print-sheet.ts'

interface RecoveryNoticeProps {
  name: string
  clusterName: string
  password: string
}

/** A password that is lost is lost: offers to print it. */
export function RecoveryNotice({ name, clusterName, password }: RecoveryNoticeProps) {
  const t = useText()
  const locale = useLocale()
  const kept = useCallMutation(passwordKept, { toast: true })
  function print() {
    kept.mutate({})
    printSheet({
      title: t('backups.sheetTitle', { name }),
      rows: [
        [t('backups.name'), name],
        [t('backups.cluster'), clusterName],
        [t('backups.password'), normalPassword(password)],
        [t('backups.sheetWhere'), window.location.origin],
        [t('backups.sheetMade'), new Date().toLocaleDateString(locale, { dateStyle: 'long' })],
      ],
      text: t('backups.sheetText'),
    })
  }
  const isReady = passwordFault(password) === undefined
  return (
    <Notice
      tone="amber"
      title={t('backups.lostTitle')}
      action={
        <Button onClick={print} disabled={!isReady}>
          {t('backups.sheetPrint')}
        </Button>
      }
    >
      {t('backups.passwordText')}
    </Notice>
  )
}

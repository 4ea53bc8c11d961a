import { PageHeader } from '@atoll/ui'
import { SettingRows } from '../kit/page/SettingRow.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { useText } from '../locales/text.ts'
import { useCurrentAccount } from '../session/account-store.ts'
import { useAccountName } from '../session/use-account-name.ts'
import { CloseSection } from './CloseSection.tsx'
import { ExportRow } from './ExportRow.tsx'

/** All that is kept about the account, as a file, and its end. */
export function YourDataPage() {
  const t = useText()
  const account = useCurrentAccount()
  const nameOf = useAccountName()
  usePageTitle(t('shell.yourData'))
  if (!account) return null
  return (
    <>
      <PageHeader title={t('shell.yourData')}>{t('dataExport.notInIt')}</PageHeader>
      <SettingRows>
        <ExportRow />
      </SettingRows>
      <CloseSection name={nameOf(account)} />
    </>
  )
}

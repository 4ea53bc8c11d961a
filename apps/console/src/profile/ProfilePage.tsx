import { isDisplayableName } from '@atoll/contract/wire'
import { PageHeader } from '@atoll/ui'
import { CopyValue } from '../kit/page/CopyValue.tsx'
import { SettingRow, SettingRows } from '../kit/page/SettingRow.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { useText } from '../locales/text.ts'
import { useCurrentAccount } from '../session/account-store.ts'
import { useAccountName } from '../session/use-account-name.ts'
import { EmailRow } from './EmailRow.tsx'
import { MailRows } from './MailRows.tsx'
import { MetricsTokenRow } from './MetricsTokenRow.tsx'
import { PictureRow } from './PictureRow.tsx'
import { TimeZoneRow } from './TimeZoneRow.tsx'

/** The account for others, and how to reach it: picture, ID, DID, email. */
export function ProfilePage() {
  const t = useText()
  const account = useCurrentAccount()
  const nameOf = useAccountName()
  usePageTitle(t('profile.title'))
  if (!account) return null
  const { userid } = account
  return (
    <>
      <PageHeader title={t('profile.title')}>{t('profile.lead')}</PageHeader>
      <SettingRows>
        <PictureRow account={account} />
        <SettingRow
          title={nameOf(account)}
          text={t(isDisplayableName(account.terminusName) ? 'profile.idHelp' : 'profile.noIdHelp')}
        />
        <SettingRow title={t('profile.did')} text={<code>{userid}</code>}>
          <CopyValue value={userid} what={t('profile.did')} />
        </SettingRow>
        <EmailRow />
        <TimeZoneRow account={account} />
        <MetricsTokenRow />
      </SettingRows>
      <MailRows />
    </>
  )
}

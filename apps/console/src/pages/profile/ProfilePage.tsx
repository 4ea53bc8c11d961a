import { isDisplayableName } from '@atoll/contract/wire'
import { PageHeader } from '@atoll/ui'
import { useCurrentAccount } from '../../accounts/account-store.ts'
import { useAccountName } from '../../accounts/use-account-name.ts'
import { CopyValue } from '../../components/CopyValue.tsx'
import { SettingRow, SettingRows } from '../../components/settings/SettingRow.tsx'
import { usePageTitle } from '../../components/use-page-title.ts'
import { useText } from '../../i18n/text.ts'
import { EmailRow } from './EmailRow.tsx'
import { PictureRow } from './PictureRow.tsx'

/** Who this account is to others, and how it is reached: picture, ID, DID, email. */
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
        <EmailRow userid={userid} />
      </SettingRows>
    </>
  )
}

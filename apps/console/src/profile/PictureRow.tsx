import { avatarLimitBytes } from '@atoll/contract/accounts'
import { Avatar } from '@atoll/ui'
import { Button, FileButton } from '@mantine/core'
import { useText } from '../kit/i18n/text.ts'
import { FailureNotice } from '../kit/page/FailureNotice.tsx'
import { SettingRow } from '../kit/page/SettingRow.tsx'
import { showFailure, showNotice } from '../kit/toast/show-notice.ts'
import type { Account } from '../session/account.ts'
import { displayedId } from '../session/use-account-name.ts'
import classes from './ProfilePage.module.css'
import { avatarTypes, useAvatar } from './use-avatar.ts'

interface PictureRowProps {
  account: Account
}

/** The account's picture: chosen, or the one made from its DID. */
export function PictureRow({ account }: PictureRowProps) {
  const t = useText()
  const { set, remove } = useAvatar(account.userid)
  const choose = (file: File | null) => {
    if (!file) return
    remove.reset()
    set.mutate(file, { onSuccess: () => showNotice({ kind: 'success', text: t('profile.pictureChanged') }) })
  }
  const clear = () => {
    set.reset()
    remove.mutate(undefined, { onError: showFailure })
  }
  return (
    <div>
      <SettingRow
        icon={<Avatar id={account.userid} name={displayedId(account)} src={account.avatar} size={56} />}
        title={t('profile.picture')}
        text={t('profile.pictureHelp', { megabytes: avatarLimitBytes / 1024 ** 2 })}
      >
        <FileButton
          accept={avatarTypes.join(',')}
          onChange={choose}
          inputProps={{ 'aria-label': t('profile.picture') }}
        >
          {(props) => (
            <Button size="xs" loading={set.isPending} {...props}>
              {t('profile.pictureChoose')}
            </Button>
          )}
        </FileButton>
        {account.avatar && (
          <Button size="xs" variant="dangerOutline" loading={remove.isPending} onClick={clear}>
            {t('profile.pictureRemove')}
          </Button>
        )}
      </SettingRow>
      <FailureNotice error={set.error} className={classes.form} />
    </div>
  )
}

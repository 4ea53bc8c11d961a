import { avatarLimitBytes, avatarRemove, avatarSet } from '@atoll/contract/accounts'
import { Avatar } from '@atoll/ui'
import { Button, FileButton } from '@mantine/core'
import { useState } from 'react'
import { showToast } from '../data/show-toast.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { FailureNotice } from '../kit/page/FailureNotice.tsx'
import { SettingRow } from '../kit/page/SettingRow.tsx'
import { useText } from '../locales/text.ts'
import type { Account } from '../session/account.ts'
import { displayedId } from '../session/use-account-name.ts'
import classes from './ProfilePage.module.css'
import { base64Of, pictureProblem, pictureTypes } from './picture-body.ts'

interface PictureRowProps {
  account: Account
}

/** The account's picture: chosen, or the one made from its DID. */
export function PictureRow({ account }: PictureRowProps) {
  const t = useText()
  const set = useCallMutation(avatarSet)
  const remove = useCallMutation(avatarRemove, { toast: true })
  const [problem, setProblem] = useState<Error>()
  async function choose(file: File | null) {
    if (!file) return
    const found = pictureProblem(file)
    setProblem(found)
    set.reset()
    if (found) return
    set.mutate(
      { image: await base64Of(file) },
      { onSuccess: () => void showToast({ kind: 'success', text: t('profile.pictureChanged') }) },
    )
  }
  function clear() {
    setProblem(undefined)
    set.reset()
    remove.mutate({})
  }
  return (
    <div>
      <SettingRow
        icon={<Avatar id={account.userid} name={displayedId(account)} src={account.avatar} size={56} />}
        title={t('profile.picture')}
        text={t('profile.pictureHelp', { megabytes: avatarLimitBytes / 1024 ** 2 })}
      >
        <FileButton
          accept={pictureTypes.join(',')}
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
      <FailureNotice error={problem ?? set.error} className={classes.form} />
    </div>
  )
}

import { avatarLimitBytes, avatarRemove, avatarSet } from '@atoll/contract/accounts'
import { Avatar } from '@atoll/ui'
import { FileButton } from '@mantine/core'
import { useState } from 'react'
import { showToast } from '../data/show-toast.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../kit/page/FailureNotice.tsx'
import { SettingRow } from '../kit/page/SettingRow.tsx'
import { text, useText } from '../locales/text.ts'
import type { Account } from '../session/account.ts'
import { displayedId } from '../session/use-account-name.ts'
import classes from './ProfilePage.module.css'

const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

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
            <ChangeButton size="xs" loading={set.isPending} {...props}>
              {t('profile.pictureChoose')}
            </ChangeButton>
          )}
        </FileButton>
        {account.avatar && (
          <ChangeButton size="xs" variant="dangerOutline" loading={remove.isPending} onClick={clear}>
            {t('profile.pictureRemove')}
          </ChangeButton>
        )}
      </SettingRow>
      <FailureNotice error={problem ?? set.error} className={classes.form} />
    </div>
  )
}

/** Refusals that are known without sending: the server would say the same after the last byte. */
function pictureProblem({ type, size }: File): Error | undefined {
  if (!pictureTypes.some((known) => known === type)) return new Error(text('profile.pictureKind'))
  if (size <= avatarLimitBytes) return undefined
  return new Error(text('profile.pictureTooLarge', { megabytes: avatarLimitBytes / 1024 ** 2 }))
}

/** base64url: nothing in it needs escaping in a form. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

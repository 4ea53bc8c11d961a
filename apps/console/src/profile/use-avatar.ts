import { avatarLimitBytes, avatarRemove, avatarSet } from '@atoll/contract/accounts'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../data/client.ts'
import { text } from '../kit/i18n/text.ts'
import { editAccount } from '../session/account-store.ts'

export const avatarTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

/** What is known to be refused without sending it: the server would say the same after the last byte. */
export class AvatarUnfit extends Error {}

/** Choosing and removing the account's picture. */
export function useAvatar(userid: string) {
  return {
    set: useMutation({
      mutationFn: async (file: File) => {
        if (!avatarTypes.some((type) => type === file.type)) throw new AvatarUnfit(text('profile.pictureKind'))
        if (file.size > avatarLimitBytes)
          throw new AvatarUnfit(text('profile.pictureTooLarge', { megabytes: avatarLimitBytes / 1024 ** 2 }))
        return await callApi(avatarSet, { image: await base64Of(file) })
      },
      onSuccess: ({ avatar }) => editAccount(userid, { avatar }),
    }),
    remove: useMutation({
      mutationFn: () => callApi(avatarRemove, {}),
      onSuccess: () => editAccount(userid, { avatar: null }),
    }),
  }
}

/** base64url: nothing in it needs escaping in a form. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

import { sessionRevokeAll } from '@atoll/contract/accounts'
import { showToast } from '../data/show-toast.ts'
import { confirm } from '../kit/confirm/confirm.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { useText } from '../locales/text.ts'

interface RevokeOthersProps {
  /** How many sessions there are besides this one. */
  count: number
}

/** Signs out everywhere but here, after saying where that is. */
export function RevokeOthers({ count }: RevokeOthersProps) {
  const t = useText()
  const ask = () =>
    confirm({
      title: t('sessions.revokeOthersTitle'),
      lost: [t('sessions.revokeOthersText', { count })],
      keep: t('sessions.keep'),
      act: t('sessions.revokeOthersDo', { count }),
      danger: true,
      run: {
        call: sessionRevokeAll,
        body: {},
        onSuccess: ({ revoked }) =>
          void showToast({ kind: 'success', text: t('sessions.othersRevoked', { count: revoked }) }),
      },
    })
  return <ChangeButton onClick={ask}>{t('sessions.revokeOthers')}</ChangeButton>
}

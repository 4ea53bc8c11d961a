import { useNavigate } from '@tanstack/react-router'
import { forgetSignatures } from '../history/signature-log.ts'
import { useText } from '../i18n/text.ts'
import type { WalletIdentity } from '../keys/keychain.ts'
import { keychain } from '../keys/use-keychain.ts'
import { TypedConfirm } from '../kit/TypedConfirm.tsx'

interface DeleteIdentityProps {
  identity: WalletIdentity
  isLast: boolean
  opened: boolean
  onClose(): void
}

/** Asks before a key is forgotten: its ID, or a word where it has none, must be typed. */
export function DeleteIdentity({ identity, isLast, opened, onClose }: DeleteIdentityProps) {
  const t = useText()
  const navigate = useNavigate()
  const { did, name } = identity
  const word = name ?? t('identity.unnamedWord')
  const remove = () => {
    keychain.remove(did)
    forgetSignatures(localStorage, did)
    void navigate({ to: '/' })
  }
  return (
    <TypedConfirm
      opened={opened}
      title={t('identity.deleteTitle', { name: name ?? t('identity.unnamed') })}
      consequences={[t('identity.deleteBody'), ...(isLast ? [t('identity.deleteLast')] : [])]}
      word={word}
      label={t('identity.deleteType', { word })}
      keepLabel={t('identity.deleteKeep')}
      goLabel={t('identity.deleteGo')}
      onKeep={onClose}
      onGo={remove}
    />
  )
}

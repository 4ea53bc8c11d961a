import { productName } from '../api/runtime-config.ts'
import { useText } from '../i18n/text.ts'
import type { WalletIdentity } from '../keys/keychain.ts'

/** The identities of a vault, by their IDs. */
export function WalletNames({ entries }: { entries: readonly Pick<WalletIdentity, 'did' | 'name'>[] }) {
  const t = useText()
  return entries.map(({ did, name }) => <div key={did}>{name ?? t('home.noId', { product: productName() })}</div>)
}

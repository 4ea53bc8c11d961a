/** This browser's one keychain, and its public state for screens. */
import { useSyncExternalStore } from 'react'
import { createKeychain, type KeychainState } from './keychain.ts'
import { vaultStorageKey } from './vault-file.ts'

export const keychain = createKeychain({ storage: localStorage })

// Another tab wrote the vault: what it kept counts here too.
addEventListener('storage', (event) => {
  if (event.key === null || event.key === vaultStorageKey) keychain.refresh()
})

export function useKeychain(): KeychainState {
  return useSyncExternalStore(keychain.subscribe, keychain.getState)
}

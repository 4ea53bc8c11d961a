import { useCallback, useState } from 'react'
import { VaultLocked } from '../../keys/keychain.ts'

/**
 * Hands what went wrong outside of drawing to the error screen. Not that the wallet was locked meanwhile: then the
 * guard is already leading away.
 */
export function useErrorScreen(): (error: unknown) => void {
  const [, setState] = useState()
  return useCallback((error) => {
    if (error instanceof VaultLocked) return
    setState(() => {
      throw error
    })
  }, [])
}

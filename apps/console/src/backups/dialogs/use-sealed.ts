import type { BackupMachine } from '@atoll/contract/backups'
import { useState } from 'react'
import { useText } from '../../locales/text.ts'
import { sealPassword } from '../seal-password.ts'

export interface Sealing {
  isSealing: boolean
  /** Why it could not be sealed. */
  problem: string | undefined
  /** Seals `password` and passes it on; an empty one is no password: `send` gets undefined. */
  seal: (password: string, send: (box: string | undefined) => void) => void
}

/** Sealing passwords to the key of a machine. */
export function useSealing(machine: Pick<BackupMachine, 'key'> | null | undefined): Sealing {
  const t = useText()
  const [isSealing, setSealing] = useState(false)
  const [problem, setProblem] = useState<string>()
  return {
    isSealing,
    problem,
    seal(password, send) {
      setProblem(undefined)
      if (password === '') return send(undefined)
      const key = machine?.key
      if (!key) return setProblem(t('backups.noKey'))
      setSealing(true)
      sealPassword(password, key)
        .then(send, () => setProblem(t('backups.sealFailed')))
        .finally(() => setSealing(false))
    },
  }
}

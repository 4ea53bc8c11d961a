import { type BackupMachine, hasControlCharacter, leastPasswordLength, passwordFault } from '@atoll/contract/backups'
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
      if (hasControlCharacter(password)) return setProblem(t('backups.passwordControl'))
      const key = machine?.key
      if (!key) return setProblem(t('backups.noKey'))
      setSealing(true)
      sealPassword(password, key)
        .then(send, () => setProblem(t('backups.sealFailed')))
        .finally(() => setSealing(false))
    },
  }
}

/** The sentence that refuses a new password; undefined: it may be used. */
export function usePasswordFault(): (password: string) => string | undefined {
  const t = useText()
  return (password) => {
    const fault = passwordFault(password)
    if (fault === 'control') return t('backups.passwordControl')
    if (fault === 'blank') return t('backups.passwordBlank')
    return fault && t('backups.passwordShort', { count: leastPasswordLength })
  }
}

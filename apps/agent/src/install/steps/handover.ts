/** Step `handover`: from here to activation there is a one-time password. Made once: a second run keeps the first. */
import { newNonce } from '../../activation/one-time-password.ts'
import type { Step } from '../installer.ts'

export const handOver: Step = async ({ store, say }) => {
  if (store.current.account) {
    say('handover', 'already activated; the owner keeps the password')
    return
  }
  if (!store.current.handoverNonce) await store.update({ handoverNonce: newNonce() })
  say('handover', 'ready to be activated')
}

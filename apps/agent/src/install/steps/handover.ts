/** Step `handover`: from here to activation there is a one-time password. Made once: a second run keeps the first. */

import type { Step } from '../../drive/install-step.ts'
import { newNonce } from '../../kernel/one-time-password.ts'

export const handOver: Step = async ({ store, say }) => {
  if (store.current.account) {
    say('handover', 'already activated; the owner keeps the password')
    return
  }
  if (!store.current.handoverNonce) await store.update({ handoverNonce: newNonce() })
  say('handover', 'ready to be activated')
}

import { showToast } from '../data/show-toast.ts'
import { text } from '../locales/text.ts'
import { currentAccount, onAccountChange, storageTrouble } from '../session/account-store.ts'
import type { Repair } from '../session/stored-accounts.ts'

/** Tells the person what is wrong with this browser's storage, each thing once. Called once, when texts are there. */
export function warnOfStorageTrouble(): void {
  const { repaired } = storageTrouble()
  if (repaired) showToast({ kind: 'failure', text: repairText(repaired) })
  if (!warnUnsaved()) {
    const stop = onAccountChange(() => {
      if (warnUnsaved()) stop()
    })
  }
}

function repairText({ lost }: Repair): string {
  if (lost === undefined) return text('accounts.repairedNothing')
  return lost === 0 ? text('accounts.repairedAll') : text('accounts.repairedSome', { count: lost })
}

/** Only once there is an account that will be missed. */
function warnUnsaved(): boolean {
  if (!storageTrouble().unsaved || !currentAccount()) return false
  showToast({ kind: 'failure', text: text('accounts.unsaved') })
  return true
}

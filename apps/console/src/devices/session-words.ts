import type { Device, Place } from '@atoll/contract/accounts'
import type { Translate } from '../locales/text.ts'

/** `Chrome on Windows`; what a browser does not say of itself is left out. */
export function deviceWords({ kind, browser, system }: Device, t: Translate): string {
  if (browser && system) return t('sessions.device', { browser, system })
  return browser ?? system ?? t(kind === 'program' ? 'sessions.program' : 'sessions.unknownDevice')
}

/** Where an address is, in words, as far as an address says. */
export function placeWords({ kind, network }: Place, t: Translate): string {
  switch (kind) {
    case 'thisMachine':
      return t('sessions.thisMachine')
    case 'thisNetwork':
      return t('sessions.thisNetwork')
    case 'privateNetwork':
      return t('sessions.privateNetwork')
    case 'network':
      return t('sessions.network', { network: network ?? '' })
    default:
      return t('sessions.unknownPlace')
  }
}

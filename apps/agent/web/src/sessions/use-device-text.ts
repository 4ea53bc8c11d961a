import type { SignInPlace } from '@atoll/contract/personal-server'
import { useText } from '../i18n/text.ts'

/** `Chrome on Windows`; what a browser does not say of itself is left out. */
export function useDeviceText(): (place: SignInPlace | null) => string {
  const t = useText()
  return (place) => {
    if (!place) return t('sessions.unknownDevice')
    const { kind, browser, system } = place.device
    if (browser && system) return t('sessions.device', { browser, system })
    return browser ?? system ?? t(kind === 'program' ? 'sessions.program' : 'sessions.unknownDevice')
  }
}

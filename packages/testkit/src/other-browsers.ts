import { existsSync } from 'node:fs'

/** Debian's packages with Firefox, the engine of Safari and its driver, and a display for that one. */
export const otherBrowserPackages = ['firefox-esr', 'webkit2gtk-driver', 'xvfb'] as const

/** Programs of those packages. */
export const otherBrowsers = {
  firefox: '/usr/bin/firefox-esr',
  webkitDriver: '/usr/bin/WebKitWebDriver',
  display: '/usr/bin/Xvfb',
} as const

/** Why the browsers other than Chromium cannot be driven here, as the end of a sentence; undefined when they can. */
export function whyNoOtherBrowsers(): string | undefined {
  const missing = Object.values(otherBrowsers).filter((path) => !existsSync(path))
  return missing.length > 0 ? `there is no ${missing.join(', ')}` : undefined
}

import { serverNow } from '../../config/runtime-config.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatUptime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'

/** For how long it has been running without a break; counts on. */
export function Uptime({ since }: { since: string }) {
  const t = useText()
  const locale = useLocale()
  const ms = Math.max(0, serverNow() - Date.parse(since))
  // Seconds matter for a minute only.
  useNow(ms < 60_000 ? 1000 : 30_000)
  return t('instances.up', { time: formatUptime(ms, locale) })
}

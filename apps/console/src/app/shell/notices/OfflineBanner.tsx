import { Notice } from '@atoll/ui'
import { IconWifiOff } from '@tabler/icons-react'
import { useOnline } from '../../../kit/browser/use-online.ts'
import { useText } from '../../../locales/text.ts'
import classes from './OfflineBanner.module.css'

/** Says that the browser is offline, and that the page will catch up. */
export function OfflineBanner() {
  const t = useText()
  const online = useOnline()
  return (
    <div role="status" className={classes.banner} data-shown={online ? undefined : true}>
      {!online && (
        <Notice
          tone="amber"
          icon={<IconWifiOff size={18} stroke={1.6} aria-hidden="true" />}
          title={t('shell.offlineTitle')}
        >
          {t('shell.offline')}
        </Notice>
      )}
    </div>
  )
}

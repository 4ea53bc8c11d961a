import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { loadMonitoringTexts } from '../../kit/i18n/language.ts'
import { useText } from '../../kit/i18n/text.ts'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import type { MonitoringTabProps } from '../monitoring/MonitoringTab.tsx'

const load = async () => {
  const [{ MonitoringTab }] = await Promise.all([import('../monitoring/MonitoringTab.tsx'), loadMonitoringTexts()])
  return MonitoringTab
}

/** The charts, whose code comes with the first look at them. */
export function MonitoringPanel(props: MonitoringTabProps) {
  const t = useText()
  const [wanted, setWanted] = useState(true)
  if (!wanted) return <Button onClick={() => setWanted(true)}>{t('failure.retry')}</Button>
  return (
    <LazyPart
      load={load}
      wanted
      onFailure={() => setWanted(false)}
      props={props}
      fallback={<Skeleton height={286} radius={10} />}
    />
  )
}

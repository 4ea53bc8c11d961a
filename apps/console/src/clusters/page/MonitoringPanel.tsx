import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import { loadMonitoringTexts } from '../../locales/language.ts'
import { useText } from '../../locales/text.ts'
import type { MonitoringTabProps } from '../monitoring/MonitoringTab.tsx'

const load = async () => {
  const [{ MonitoringTab }] = await Promise.all([import('../monitoring/MonitoringTab.tsx'), loadMonitoringTexts()])
  return MonitoringTab
}

const loadAlerts = async () => {
  const [{ AlertsSection }] = await Promise.all([
    import('../monitoring/alerts/AlertsSection.tsx'),
    loadMonitoringTexts(),
  ])
  return AlertsSection
}

/** The charts and, below them, the alerts, whose code comes with the first look at them. */
export function MonitoringPanel(props: MonitoringTabProps) {
  const t = useText()
  const [wanted, setWanted] = useState(true)
  if (!wanted) return <Button onClick={() => setWanted(true)}>{t('failure.retry')}</Button>
  return (
    <>
      <LazyPart
        load={load}
        wanted
        onFailure={() => setWanted(false)}
        props={props}
        fallback={<Skeleton height={286} radius={10} />}
      />
      <LazyPart
        load={loadAlerts}
        wanted
        onFailure={() => setWanted(false)}
        props={{ clusterId: props.cluster.clusterId }}
      />
    </>
  )
}

import { AlertsSection } from './alerts/AlertsSection.tsx'
import { MonitoringTab, type MonitoringTabProps } from './MonitoringTab.tsx'

/** The charts and, below them, the alerts. */
export function MonitoringPanel(props: MonitoringTabProps) {
  return (
    <>
      <MonitoringTab {...props} />
      <AlertsSection clusterId={props.cluster.clusterId} />
    </>
  )
}

import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageTabs } from '../../kit/page/PageTabs.tsx'
import { type TextKey, useText } from '../../locales/text.ts'
import { type ClusterTab, clusterTabs } from '../frame/cluster-search.ts'

const titles: Record<ClusterTab, TextKey> = {
  overview: 'detail.tabOverview',
  monitoring: 'detail.tabMonitoring',
  backups: 'detail.tabBackups',
  network: 'detail.tabNetwork',
  history: 'detail.tabHistory',
  access: 'detail.tabAccess',
  settings: 'detail.tabSettings',
}

interface ClusterTabsProps {
  tab: ClusterTab
  /** Contents of the tabs; only the open one is drawn. */
  panels: Record<ClusterTab, ReactNode>
}

/** The tabs of a cluster's page. */
export function ClusterTabs({ tab, panels }: ClusterTabsProps) {
  const t = useText()
  const navigate = useNavigate()
  const open = (next: ClusterTab) =>
    void navigate({ to: '.', search: next === 'overview' ? {} : { tab: next }, resetScroll: false })
  const tabs = clusterTabs.map((key) => ({ key, title: t(titles[key]), panel: panels[key] }))
  return <PageTabs label={t('detail.tabsLabel')} tabs={tabs} tab={tab} onOpen={open} />
}

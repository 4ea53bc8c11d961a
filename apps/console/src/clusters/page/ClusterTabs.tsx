import '@mantine/core/styles/Tabs.layer.css'
import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type TextKey, useText } from '../../kit/i18n/text.ts'
import classes from './ClusterTabs.module.css'
import { type ClusterTab, clusterTabs } from './cluster-search.ts'

const titles: Record<ClusterTab, TextKey> = {
  overview: 'detail.tabOverview',
  history: 'detail.tabHistory',
  access: 'detail.tabAccess',
  settings: 'detail.tabSettings',
}

interface ClusterTabsProps {
  tab: ClusterTab
  /** What each tab holds; only the open one is drawn. */
  panels: Record<ClusterTab, ReactNode>
}

/**
 * The tabs of a cluster's page. The open one stands in the address: it can be linked to, and Back leads to the one
 * before.
 */
export function ClusterTabs({ tab, panels }: ClusterTabsProps) {
  const t = useText()
  const navigate = useNavigate()
  const open = (next: string | null) => {
    const found = clusterTabs.find((known) => known === next)
    if (!found || found === tab) return
    void navigate({ to: '.', search: found === 'overview' ? {} : { tab: found }, resetScroll: false })
  }
  return (
    <Tabs
      value={tab}
      onChange={open}
      keepMounted={false}
      classNames={{ list: classes.list ?? '', tab: classes.tab ?? '', panel: classes.panel ?? '' }}
    >
      <Tabs.List aria-label={t('detail.tabsLabel')}>
        {clusterTabs.map((key) => (
          <Tabs.Tab key={key} value={key}>
            {t(titles[key])}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {clusterTabs.map((key) => (
        <Tabs.Panel key={key} value={key}>
          {panels[key]}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

import '@mantine/core/styles/Tabs.layer.css'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './PageTabs.module.css'

export interface PageTab<Key extends string> {
  key: Key
  title: ReactNode
  panel: ReactNode
}

interface PageTabsProps<Key extends string> {
  /** Of all tabs, for screen readers. */
  label: string
  tabs: readonly PageTab<Key>[]
  tab: Key
  /** Writes it into the address: it can be linked to, and Back leads to the one before. */
  onOpen: (tab: Key) => void
}

/** The tabs of a page; only what the open one holds is drawn. */
export function PageTabs<Key extends string>({ label, tabs, tab, onOpen }: PageTabsProps<Key>) {
  const open = (next: string | null) => {
    const found = tabs.find(({ key }) => key === next)
    if (found && found.key !== tab) onOpen(found.key)
  }
  return (
    <Tabs
      value={tab}
      onChange={open}
      keepMounted={false}
      classNames={{ list: classes.list ?? '', tab: classes.tab ?? '', panel: classes.panel ?? '' }}
    >
      <Tabs.List aria-label={label}>
        {tabs.map(({ key, title }) => (
          <Tabs.Tab key={key} value={key}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ key, panel }) => (
        <Tabs.Panel key={key} value={key}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

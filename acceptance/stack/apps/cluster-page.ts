import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { statusLabels } from '@atoll/texts/statuses'
import type { Locator, Page } from 'playwright-core'
import { consoleApp } from './console-app.ts'

/** A cluster's page and the table of instances, as a person uses them: by what the screen says. */
export function clusterPage(page: Page, locale: Locale) {
  const { t, button, link, card, dialog, heading } = consoleApp(page, locale)
  const row = (name: string): Locator =>
    page
      .getByRole('row')
      .filter({ has: page.getByText(name, { exact: true }) })
      .first()

  return {
    row,
    worker: (number: number) => t('cluster.workerNumber', { number }),
    master: () => t('cluster.master'),

    /** Follows the card's name. */
    async open(cluster: string): Promise<void> {
      await link(cluster, card(cluster)).click()
      await heading(cluster).waitFor()
      await page.getByRole('region', { name: t('detail.instances') }).waitFor()
    },

    async openTab(name: 'tabOverview' | 'tabHistory' | 'tabAccess' | 'tabSettings'): Promise<void> {
      await page.getByRole('tab', { name: t(`detail.${name}`), exact: true }).click()
    },

    /** The dialog that adds workers, with the quantity filled in. */
    async askForWorkers(cluster: string, quantity: number): Promise<Locator> {
      const section = page.getByRole('region', { name: t('detail.instances') })
      await button(t('action.addWorker'), section).click()
      const box = dialog(t('worker.title', { name: cluster }))
      await box.getByLabel(t('worker.quantity')).fill(String(quantity))
      return box
    },

    async waitForStatus(name: string, status: ClusterStatus): Promise<void> {
      const label = statusLabels[locale][status]
      await row(name).getByText(label, { exact: true }).waitFor()
    },

    /** Chooses an action of the row's menu. */
    async choose(cluster: string, name: string, action: string): Promise<void> {
      const of = t('cluster.instanceOf', { name, cluster })
      await button(t('common.more', { name: of }), row(name)).click()
      await page.getByRole('menuitem', { name: action }).click()
    },
  }
}

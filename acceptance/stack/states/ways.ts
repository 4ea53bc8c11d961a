/** Ways to a state that several screens share. */
import type { ConsoleTab } from '../console-tab.ts'
import { sampleClusters } from '../samples/sample-clusters.ts'

export const named = (status: string, suits: (cluster: (typeof sampleClusters)[number]) => boolean = () => true) => {
  const cluster = sampleClusters.find((candidate) => candidate.status === status && suits(candidate))
  if (!cluster) throw new Error(`the sample has no cluster that is ${status}`)
  return cluster
}
export const page = (status: string, query = '') => `/cluster/${named(status).clusterId}${query}`
export const order = 'cloud=atoll&region=lagoon&offering=tide-2&version=1.12.3'

/** Opens an item of the menu of a cluster's page. */
export const fromMenu =
  (
    status: string,
    action: 'stop' | 'restart' | 'destroyMaster' | 'addWorker' | 'activate' | 'giveUp' | 'replaceMachine',
  ) =>
  async ({ page: view, app }: ConsoleTab) => {
    await app.button(app.t('common.more', { name: named(status).name })).click()
    await view.getByRole('menuitem', { name: app.t(`action.${action}`) }).click()
    await view.getByRole('dialog').waitFor()
  }
export const menu = (name: (tab: ConsoleTab) => string) => async (tab: ConsoleTab) => {
  await tab.app.button(name(tab)).first().click()
  await tab.page.getByRole('menu').waitFor()
}
export const keys = (combination: string, role: 'combobox' | 'dialog') => async (tab: ConsoleTab) => {
  await tab.page.keyboard.press(combination)
  await tab.page.getByRole(role).first().waitFor()
}

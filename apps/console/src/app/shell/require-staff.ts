import { notFound, rootRouteId } from '@tanstack/react-router'
import { loadOperatorTexts } from '../../locales/language.ts'
import { currentAccount } from '../../session/account-store.ts'

/** `beforeLoad` of the operator's area: without a staff role there is no such page. */
export async function enterAsStaff(): Promise<void> {
  if (currentAccount()?.staff == null) throw notFound({ routeId: rootRouteId })
  await loadOperatorTexts()
}

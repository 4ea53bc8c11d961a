import { LazyPart } from '../../../kit/page/LazyPart.tsx'
import { loadTextsBeyondHome } from '../../../locales/language.ts'
import { useCurrentAccount } from '../../../session/account-store.ts'

const load = async () => {
  const [{ Suspended }] = await Promise.all([import('../../../suspended/Suspended.tsx'), loadTextsBeyondHome()])
  return Suspended
}

/** The suspensions and the closing of the account, and requests of support; without any, nothing is fetched. */
export function SuspendedNotice() {
  const account = useCurrentAccount()
  const isThere = account && (account.isHeld || account.closesAt !== null)
  return isThere && <LazyPart load={load} wanted onFailure={() => undefined} props={{}} />
}

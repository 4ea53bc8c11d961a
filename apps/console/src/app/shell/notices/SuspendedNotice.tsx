import { LazyPart } from '../../../kit/page/LazyPart.tsx'
import { loadTextsBeyondHome } from '../../../locales/language.ts'
import { useCurrentAccount } from '../../../session/account-store.ts'

const load = async () => {
  const [{ Suspended }] = await Promise.all([import('../../../suspended/Suspended.tsx'), loadTextsBeyondHome()])
  return Suspended
}

/** The suspensions of the account, and what support asks; where there is neither, nothing is fetched. */
export function SuspendedNotice() {
  const isHeld = useCurrentAccount()?.isHeld ?? false
  return isHeld && <LazyPart load={load} wanted onFailure={() => undefined} props={{}} />
}

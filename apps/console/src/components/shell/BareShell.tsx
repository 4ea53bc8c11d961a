import { Outlet } from '@tanstack/react-router'
import { AccountScope } from './AccountScope.tsx'
import classes from './BareShell.module.css'
import { OfflineBanner } from './OfflineBanner.tsx'

/** A page without sidebar and header, one column, for the wallet's web view (spec §2, mobile variants). */
export function BareShell() {
  return (
    <AccountScope>
      {() => (
        <main id="page" className={classes.page} tabIndex={-1}>
          <OfflineBanner />
          <Outlet />
        </main>
      )}
    </AccountScope>
  )
}

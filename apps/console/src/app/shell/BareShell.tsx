import { AccountScope } from './AccountScope.tsx'
import classes from './BareShell.module.css'
import { EmailNotice } from './notices/EmailNotice.tsx'
import { OfflineBanner } from './notices/OfflineBanner.tsx'
import { PageMain } from './PageMain.tsx'

/** A page without sidebar and header, one column, for the wallet's web view (spec §2, mobile variants). */
export function BareShell() {
  return (
    <AccountScope>
      {() => (
        <>
          <EmailNotice />
          <PageMain className={classes.page}>
            <OfflineBanner />
          </PageMain>
        </>
      )}
    </AccountScope>
  )
}

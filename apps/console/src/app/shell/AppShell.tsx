import { useState } from 'react'
import { useIsNarrow } from '../../kit/browser/use-is-narrow.ts'
import { useText } from '../../locales/text.ts'
import type { Account } from '../../session/account.ts'
import { type Command, Commands } from '../palette/Commands.tsx'
import { operatorDestination } from '../places/destinations.ts'
import { useHere } from '../places/use-here.ts'
import { AccountScope } from './AccountScope.tsx'
import classes from './AppShell.module.css'
import bottom from './bars/BottomBar.module.css'
import { BottomBar } from './bars/BottomBar.tsx'
import { Sidebar } from './bars/Sidebar.tsx'
import { StaffPart } from './bars/StaffPart.tsx'
import { TopBar } from './bars/TopBar.tsx'
import { AnnouncementNotice } from './notices/AnnouncementNotice.tsx'
import { EmailNotice } from './notices/EmailNotice.tsx'
import { OfflineBanner } from './notices/OfflineBanner.tsx'
import { PastDueNotice } from './notices/PastDueNotice.tsx'
import { SuspendedNotice } from './notices/SuspendedNotice.tsx'
import { UsageNotices } from './notices/UsageNotices.tsx'
import { PageMain } from './PageMain.tsx'
import { PreloadedPages } from './PreloadedPages.tsx'

/** Those of the bar at the bottom, which the operator's area fills with its own places. */
const { bar = '', item = '' } = bottom

/** Sidebar, header and the page; below 768 px a bottom bar. Everything here needs an account. */
export function AppShell() {
  return <AccountScope>{(account) => <Frame account={account} />}</AccountScope>
}

function Frame({ account }: { account: Account }) {
  const t = useText()
  const isNarrow = useIsNarrow()
  const inOperatorsArea = useHere() === operatorDestination.to
  const [command, setCommand] = useState<Command>()
  return (
    <div className={classes.app}>
      <a className={classes.skip} href="#page">
        {t('shell.skip')}
      </a>
      {!isNarrow && <Sidebar />}
      <div className={classes.column}>
        {inOperatorsArea && <StaffPart part="OperatorBar" props={{ account }} />}
        {account.look && <StaffPart part="LookBar" props={{ account }} />}
        <TopBar account={account} onSearch={() => setCommand('palette')} />
        <AnnouncementNotice />
        <SuspendedNotice />
        <PastDueNotice />
        <UsageNotices />
        <EmailNotice />
        <OfflineBanner />
        <PageMain className={classes.page} />
      </div>
      {isNarrow && (inOperatorsArea ? <StaffPart part="OperatorBottomBar" props={{ bar, item }} /> : <BottomBar />)}
      <PreloadedPages />
      <Commands account={account} opened={command} onOpen={setCommand} />
    </div>
  )
}

import { locales } from '@atoll/contract/wire'
import { describeBackupScreens } from './server-backup-screens.ts'

for (const locale of locales) describeBackupScreens(locale)

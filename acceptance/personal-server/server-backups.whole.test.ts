import { describeBackupScreens } from './server-backup-screens.ts'

describeBackupScreens('en-US', 'others')

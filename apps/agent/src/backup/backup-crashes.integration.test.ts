/** The agent killed, then restic, in each place; `backup-crashes.deep` kills more. */
import { describeKills } from './testing/backup-kills.ts'

describeKills(1)

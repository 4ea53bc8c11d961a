/** The agent killed, then restic, in each place. A longer run: ATOLL_BACKUP_KILLS. */
import { describeKills } from './testing/backup-kills.ts'

describeKills(Number(process.env['ATOLL_BACKUP_KILLS'] ?? 2))

/** Plans and snapshots that a database does not know which was brought back from an older copy, on real restic. */
import { testReindex } from './testing/reindex-cases.ts'

testReindex('folder')

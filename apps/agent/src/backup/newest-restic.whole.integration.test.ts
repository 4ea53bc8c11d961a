import { describeRestic } from './testing/restic-conformance.ts'
import { newestRestic } from './testing/supported-restics.ts'

describeRestic(newestRestic)

/** Two moments of many; `crash-create.whole` has all of them. */
import { describeKills } from './create-crashes.ts'

describeKills([
  { at: 'status', status: 'queuing' },
  { at: 'step', index: 3 },
])

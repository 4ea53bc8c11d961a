import { describeRevokedSession } from './revoked-session-in-locale.ts'

describeRevokedSession('en-US')

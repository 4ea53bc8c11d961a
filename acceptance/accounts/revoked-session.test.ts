import { describeRevokedSession } from './revoked-session-in-locale.ts'

// `revoked-session.deep` has it in Chinese.
describeRevokedSession('en-US')

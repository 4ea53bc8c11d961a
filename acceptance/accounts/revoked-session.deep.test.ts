import { describeRevokedSession } from './revoked-session-in-locale.ts'

describeRevokedSession('zh-CN')

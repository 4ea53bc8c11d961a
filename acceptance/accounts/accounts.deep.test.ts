import { describeAccounts } from './accounts-in-locale.ts'

describeAccounts('zh-CN')

import { describeDomainScreens } from './domain-screens.ts'

describeDomainScreens('zh-CN')

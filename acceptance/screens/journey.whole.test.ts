import { describeJourney } from './journey-in-locale.ts'

describeJourney('zh-CN')

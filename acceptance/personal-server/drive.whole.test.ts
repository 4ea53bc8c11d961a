import { describeDriveScreens } from './drive-screens.ts'

describeDriveScreens('zh-CN', 'others')

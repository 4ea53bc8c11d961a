// Made by scripts/checks/text-tables.ts.
import texts0 from '../../en-US/shared/modules.ts'
import texts1 from '../../zh-CN/shared/modules.ts'

export default { 'en-US': texts0, 'zh-CN': texts1 }
